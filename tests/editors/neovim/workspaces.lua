--- Several workspaces, names in Chinese, options that are wrong, Chinese words.

local t = require('harness')

local root = vim.fn.tempname()

local function make_workspace(name, file, lines)
  vim.fn.mkdir(root .. '/' .. name .. '/.git', 'p')
  vim.fn.writefile(lines, root .. '/' .. name .. '/' .. file)
end

make_workspace('订单', '价格 表.py', { 'def 总价(价格):', '    说 = "𝕏🙂"; return sum(价格)' })
make_workspace('till', 'till.py', { 'def pay(price):', '    return price' })

t.test('each option that is wrong is named, and the defaults are used', function()
  local config = require('glossator.config')
  local problems = table.concat(config.apply({
    cmd = 'glossator', window = { boarder = 'single', width = -1 }, language = 'fr', colour = 1,
  }), '\n')
  t.contains(problems, '`cmd` must be a list of texts that is not empty, not "glossator"')
  t.contains(problems, '`window.boarder` is not an option; there are border, focus, ')
  t.contains(problems, '`window.width` must be a number above 0, not -1')
  t.contains(problems, '`language` must be "auto" or "en" or "zh"')
  t.contains(problems, '`colour` is not an option')
  t.equal({ 'glossator', 'lsp' }, config.options.cmd)
end)

t.setup({ language = 'zh', trusted = function(folder)
  return vim.fn.fnamemodify(folder, ':t') == 'till'
end })
vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/订单/价格 表.py'))
local orders = t.wait_for_server()

t.test('a file with a Chinese name is explained, in Chinese words', function()
  t.go_to('总价')
  vim.cmd('Glossator explain')
  t.contains(t.wait_for_complete_answer('总价'), '价格 表.py')
  t.press('q')
  vim.cmd('Glossator status')
  t.contains(t.wait_for_complete_answer('**模型** 无'), '（不受信任）')
  t.press('q')
end)

t.test('a cursor behind an emoji finds its function', function()
  t.go_to('return sum')
  vim.cmd('Glossator explain')
  t.wait_for_complete_answer('总价')
  t.press('q')
end)

t.test('another workspace has a server of its own, trusted by itself', function()
  vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/till/till.py'))
  local till = t.wait_for_server()
  assert(till.id ~= orders.id, 'one server has both')
  vim.cmd('Glossator status')
  t.contains(t.wait_for_complete_answer('（受信任）'), '/till')
  t.press('q')
end)

t.test('a folder added to a server is its second root', function()
  vim.cmd('buffer 价格')
  if vim.fn.has('nvim-0.8') == 1 then
    vim.lsp.buf.add_workspace_folder(root .. '/till')
  else
    -- The function of Neovim 0.7 also names a removed folder without a URI, which no server takes.
    require('glossator.compat').notify_server(orders, 'workspace/didChangeWorkspaceFolders', {
      event = { added = { { uri = vim.uri_from_fname(root .. '/till'), name = 'till' } }, removed = {} },
    })
  end
  t.wait_for('the second root', function()
    vim.cmd('Glossator status')
    local text = t.wait_for_complete_answer('工作区')
    t.press('q')
    return text:find('订单, ', 1, true) and text:find('/till', 1, true)
  end)
end)

t.test('the status line speaks Chinese', function()
  t.contains(require('glossator').statusline(), '无模型 · ')
end)

t.test('a server that breaks at once is said, with what to do', function()
  make_workspace('broken', 'broken.py', { 'pass' })
  local notice = t.collect_notices(function()
    t.setup({ cmd = { vim.v.progpath, '--no-such-option', 'lsp' } })
    vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/broken/broken.py'))
  end)
  t.contains(notice, 'the server ended (exit code 1, ')
  t.contains(notice, ':Glossator restart')
end)

t.finish()
