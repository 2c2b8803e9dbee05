--- What can be done about a finding, with the editor's own menu of code actions.

local compat = require('glossator.compat')
local target = require('glossator.target')

local M = {}

local function choose(kinds)
  local win, _, server = target.find()
  if server then
    vim.api.nvim_set_current_win(win)
    compat.choose_code_action(kinds)
  end
end

--- Repairs the finding at the cursor.
function M.fix()
  choose({ 'quickfix.glossator', 'refactor.rewrite.glossator' })
end

--- Ignores the finding at the cursor: by a comment, or in the baseline.
function M.ignore()
  choose({ 'quickfix.glossator.ignore' })
end

--- Goes to the rule of the finding at the cursor.
function M.rule()
  choose({ 'quickfix.glossator.showRule' })
end

return M
