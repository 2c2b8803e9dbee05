--- Short requests: a command of the server whose result is said, shown or used at once.

local client = require('glossator.client')
local language = require('glossator.language')
local target = require('glossator.target')

local M = {}

--- Runs a command; `on_result` gets its result and the server. What fails is said.
---@param argument table|nil Nil is the empty object.
---@param on_result fun(result: table, server: table)
function M.send(command, argument, on_result)
  local _, bufnr, server = target.find()
  if not server then
    return
  end
  client.execute(server, command, argument or vim.empty_dict(), {
    on_end = function(err, result)
      if err then
        return language.complain(err)
      end
      on_result(result or {}, server)
    end,
  }, bufnr)
end

--- `{uri}` of the file that a command is about; empty where there is none.
function M.name_file()
  local bufnr = vim.api.nvim_win_get_buf(target.window())
  if target.is_file(bufnr) then
    return { uri = vim.uri_from_bufnr(bufnr) }
  end
  return vim.empty_dict()
end

return M
