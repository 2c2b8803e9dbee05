-- For Neovim 0.11 and newer: `vim.lsp.enable('glossator')` works by this file, with or without
-- `setup`, and `vim.lsp.config('glossator', { … })` changes it.
return require('glossator.starting').make_config()
