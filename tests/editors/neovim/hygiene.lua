--- What the plug-in does to the editor by being there.

local t = require('harness')

t.test('loading every module leaves no global behind', function()
  local before = {}
  for name in pairs(_G) do
    before[name] = true
  end
  for _, path in ipairs(vim.fn.globpath(vim.env.GLOSSATOR_TEST_PLUGIN, 'lua/**/*.lua', 0, 1)) do
    local module = path:match('lua/(.+)%.lua$'):gsub('/init$', ''):gsub('/', '.')
    require(module)
  end
  for name in pairs(_G) do
    -- Neovim loads parts of its own `vim` on first use.
    assert(before[name] or name == 'vim', 'a global: ' .. name)
  end
end)

t.test('the columns of a table stand below each other, Chinese and escaped bars included', function()
  local tables = require('glossator.tables')
  t.equal({
    'text | with a bar',
    '| 名称   |   n |',
    '| ------ | --: |',
    '| a \\| b |   1 |',
    '| 约     |  22 |',
    '| half a table',
  }, tables.align({
    'text | with a bar', '| 名称 | n |', '|---|---:|', '| a \\| b | 1 |', '|约|22|', '| half a table',
  }))
  t.equal({ '| no | rule |', '| be | low |' }, tables.align({ '| no | rule |', '| be | low |' }))
end)

t.test('the window changes no default of other windows', function()
  t.setup()
  t.open('shop.py')
  t.wait_for_server()
  vim.cmd('Glossator status')
  t.wait_for_answer('**Model**')
  t.press('q')
  vim.cmd('new')
  t.equal(0, vim.wo.conceallevel)
  t.equal(false, vim.wo.linebreak)
  vim.cmd('close')
end)

t.test('the language is the one that is asked for, also where the system lacks its locale', function()
  local language, asked = require('glossator.language'), vim.env.LANG
  assert(not language.is_chinese())
  vim.env.LANG = 'zh_CN.UTF-8'
  t.equal({ true, 'zh-CN' }, { language.is_chinese(), language.locale() })
  vim.env.LANG = asked
end)

t.test('every command and function of the help is there, and the help has its tags', function()
  local help = vim.env.GLOSSATOR_TEST_PLUGIN .. '/doc/glossator.txt'
  local text = table.concat(vim.fn.readfile(help), '\n')
  for _, name in ipairs(require('glossator.commands').list_names()) do
    t.contains(text, '*:Glossator-' .. name .. '*')
    t.equal('function', type(require('glossator')[name]))
  end
  for name in text:gmatch('%*:Glossator%-(%l+)%*') do
    assert(require('glossator.commands').all[name], name .. ' is described, but is not there')
  end
  for name in pairs(require('glossator.config').defaults) do
    t.contains(text, '*glossator-' .. name:gsub('_', '-') .. '*')
  end
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy .. '/doc', 'p')
  vim.fn.writefile(vim.fn.readfile(help), copy .. '/doc/glossator.txt')
  vim.cmd('helptags ' .. copy .. '/doc')
  vim.o.runtimepath = copy .. ',' .. vim.o.runtimepath
  vim.cmd('help glossator-setup')
  t.contains(vim.api.nvim_get_current_line(), '*glossator-setup*')
end)

t.finish()
