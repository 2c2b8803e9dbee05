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

t.test('the window changes no default of other windows', function()
  t.setup()
  t.open('shop.py')
  t.wait_for_server()
  vim.cmd('GlossatorStatus')
  t.wait_for_answer('**Model**')
  t.press('q')
  vim.cmd('new')
  t.equal(0, vim.wo.conceallevel)
  t.equal(false, vim.wo.linebreak)
  vim.cmd('close')
end)

t.test('every command and function of the help is there, and the help has its tags', function()
  local help = vim.env.GLOSSATOR_TEST_PLUGIN .. '/doc/glossator.txt'
  local text = table.concat(vim.fn.readfile(help), '\n')
  for name in pairs(vim.api.nvim_get_commands({})) do
    if name:match('^Glossator') then
      t.contains(text, '*:' .. name .. '*')
    end
  end
  for name in text:gmatch('%*:(Glossator%a+)%*') do
    t.equal(2, vim.fn.exists(':' .. name))
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
