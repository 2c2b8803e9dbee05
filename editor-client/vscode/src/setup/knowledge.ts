/** A workspace without knowledge of its own: whether it is one, and a first document for it. */

import * as vscode from 'vscode';

/** Instructions that teams have anyway; questions are answered from them, too. */
const INSTRUCTIONS =
  '{AGENTS.md,AGENT.md,CLAUDE.md,.cursorrules,.cursor/rules/**/*.mdc,.github/copilot-instructions.md,.github/instructions/**/*.instructions.md}';

/** Whether the workspace holds a document of the team; null without a folder. */
export async function findKnowledge(): Promise<boolean | null> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (!folders.length) {
    return null;
  }
  for (const folder of folders) {
    const settings = vscode.workspace.getConfiguration('glossator.knowledge', folder);
    const globs = settings.get<string[]>('folders', []).map((name) => `${name}/**/*.md`);
    if (settings.get<boolean>('instructions', true)) {
      globs.push(INSTRUCTIONS);
    }
    for (const glob of globs) {
      const pattern = new vscode.RelativePattern(folder, glob);
      if ((await vscode.workspace.findFiles(pattern, null, 1)).length) {
        return true;
      }
    }
  }
  return false;
}

/** Open a first document, not yet saved: nothing is written until the user saves it. */
export async function createKnowledge(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) {
    await vscode.commands.executeCommand('vscode.openFolder');
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, 'knowledge', 'conventions.md');
  if (await exists(uri)) {
    await vscode.window.showTextDocument(uri);
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
  const editor = await vscode.window.showTextDocument(document);
  if (document.getText() === '') {
    const isChinese = vscode.env.language.toLowerCase().startsWith('zh');
    await editor.insertSnippet(new vscode.SnippetString(isChinese ? CHINESE : ENGLISH));
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

const RULE = [
  '  ```check',
  '  language: python',
  '  severity: warning',
  '  rule:',
  '    pattern: print(\\$\\$\\$)',
  '  ```',
  '  ```python bad',
  '  print(total)',
  '  ```',
  '  ```python good',
  '  log.info("total %s", total)',
  '  ```',
].join('\n');

const ENGLISH = `---
name: conventions
description: \${1:How we write code here.}
keywords: [\${2:conventions, error handling, logging}]
---
# Conventions

## Error handling
\${3:We let errors rise to the request handler, which logs them once and answers with a code.}

## Logging
- Use the logger, do not print. {#no-print}
${RULE}
`;

const CHINESE = `---
name: conventions
description: \${1:我们在这里如何写代码。}
keywords: [\${2:约定, 规范, 错误处理, 日志}]
---
# 约定

## 错误处理
\${3:错误一直上抛到请求处理器，由它记录一次并返回错误码。}

## 日志
- 使用日志记录器，不要使用 print。 {#no-print}
${RULE}
`;
