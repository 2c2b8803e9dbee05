-- What a user's init.lua does.
vim.opt.runtimepath:prepend(vim.env.GLOSSATOR_TEST_PLUGIN)
package.path = vim.env.GLOSSATOR_TEST_SCRIPTS .. '/?.lua;' .. package.path
vim.o.swapfile = false
