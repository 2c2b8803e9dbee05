/**
 * What the panels say, in English. The host translates each with `vscode.l10n.t` (l10n/), since a
 * webview has no localisation of its own. `{0}` marks a value.
 */
export const PANEL_STRINGS = {
  answerAria: 'Answer',
  answering: 'Answering…',
  answerReady: 'Answer ready',
  askPlaceholder: 'Ask about this workspace…',
  askHint: 'Enter to send, Shift+Enter for a new line',
  askLabel: 'Question',
  briefing: 'Facts gathered for the model',
  calledBy: 'Called by',
  calls: 'Calls',
  cancelled: 'Stopped',
  citations: 'Citations',
  contextOff: 'Do not send this place with the question',
  contextOn: 'Send this place with the question',
  conversation: 'Conversation',
  copied: 'Copied',
  copy: 'Copy',
  copyAnswer: 'Copy answer',
  copyCommand: 'Copy command',
  cycle: 'cycle',
  emptyIntro:
    'Answers come from your code and your team’s written knowledge, and every claim carries its source.',
  emptyTitle: 'Ask about this workspace',
  failed: 'This did not work',
  gathering: 'Gathering facts…',
  image: 'picture, not loaded',
  indexLine: '{0} documents · {1} skills · {2} rules',
  mermaid: 'Diagram source (Mermaid)',
  modelAnswer: 'Answered by {0}',
  modelAnswerUnnamed: 'Answered by the model',
  newSession: 'New session',
  noFolder: 'Open a folder: Glossator reads its code and its knowledge.',
  noModelDetail:
    'Explain, call chains and checks work as they are. Questions are answered with what the knowledge and the code say, without free conversation.',
  noModelTitle: 'No model is set up',
  none: 'None found in the workspace.',
  notInWorkspace: 'not in the workspace',
  openAsText: 'Open as Markdown text',
  openFolder: 'Open Folder',
  openLinkTitle: 'Opens {0} in the browser',
  openPlaceTitle: 'Open {0}',
  openSettings: 'Open settings',
  otherWays: 'Other ways to set it up',
  reasoning: 'Reasoning',
  refused: 'Not answered',
  restart: 'Restart server',
  retry: 'Retry',
  roundLimit: 'The limit of rounds was reached; this is the best answer so far.',
  send: 'Send',
  serverFailed: 'The Glossator server did not start',
  serverMissing: 'The Glossator server is not installed',
  serverStarting: 'Starting the server…',
  serverStopped: 'The server is stopped',
  setApiKey: 'Set API key',
  setUpModel: 'Set up a model',
  showLog: 'Show log',
  sampleConventions: 'What are our conventions for error handling?',
  sampleStructure: 'How is this workspace organised?',
  sampleTests: 'Where are the tests, and how are they run?',
  nearest: 'Closest in the knowledge',
  sources: 'Sources',
  stop: 'Stop',
  tokens: '{0} tokens',
  toolArguments: 'Arguments',
  toolFailed: 'failed',
  toolResult: 'Result',
  toolRunning: 'running',
  tryAgain: 'Try one of these:',
  verdictExact: 'exact: the place says what is cited',
  verdictMissing: 'missing: there is no such place',
  verdictMoved: 'moved: found at another line',
  withoutModel: 'Without a model: from knowledge and code',
  you: 'You',
} as const;

export type PanelString = keyof typeof PANEL_STRINGS;
export type PanelStrings = Record<PanelString, string>;

/** Put `values` in the places of `{0}`, `{1}` … */
export function fill(template: string, ...values: (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (whole, index: string) =>
    String(values[Number(index)] ?? whole),
  );
}
