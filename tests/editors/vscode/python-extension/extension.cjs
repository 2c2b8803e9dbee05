/** Says which interpreter is selected, as the Python extension does. */

const vscode = require('vscode');

exports.activate = () => ({
  environments: {
    getActiveEnvironmentPath: () => ({ path: process.env.GLOSSATOR_TEST_PYTHON }),
    resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
    onDidChangeActiveEnvironmentPath: new vscode.EventEmitter().event,
  },
});
