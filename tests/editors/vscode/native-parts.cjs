/**
 * Stands in for native parts of the oldest editor that would have to be compiled, in each of its
 * processes.
 *
 * Passwords are not hashed: the tests log in without one. Logs are plain files; without any the
 * extension host flushes its log for ever, and does nothing else.
 */

const { appendFileSync, mkdirSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'];

class FileLogger {
  constructor(file) {
    mkdirSync(path.dirname(file), { recursive: true });
    for (const level of LEVELS) {
      this[level] = (text) => appendFileSync(file, `${new Date().toISOString()} [${level}] ${text}\n`);
    }
  }

  setLevel() {}
  setPattern() {}
  clearFormatters() {}
  flush() {}
  drop() {}
}

const STAND_INS = {
  argon2: {},
  '@vscode/spdlog': {
    setFlushOn() {},
    createAsyncRotatingLogger: async (_, file) => new FileLogger(file),
  },
};

const load = Module._load;
Module._load = function (request, ...rest) {
  return Object.hasOwn(STAND_INS, request) ? STAND_INS[request] : load.call(this, request, ...rest);
};
