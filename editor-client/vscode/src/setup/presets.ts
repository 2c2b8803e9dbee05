/** Servers that people use, as far as they have to be known before anything is asked of them. */

export interface Preset {
  id: string;
  /** A name, the same in every language; empty where the language has a word for it. */
  name: string;
  baseUrl: string;
  /** A model to begin with; empty where only the server knows what it has. */
  model: string;
  /** `no` where a key would only be in the way: the server is on this machine. */
  needsKey: 'yes' | 'no' | 'maybe';
  /** Where a key is made, for a link; empty where there is none. */
  keyPage: string;
}

const OTHER: Preset = {
  id: 'other',
  name: '',
  baseUrl: '',
  model: '',
  needsKey: 'maybe',
  keyPage: '',
};

export const PRESETS: readonly Preset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-4.1-mini',
    needsKey: 'yes',
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    model: 'deepseek-chat',
    needsKey: 'yes',
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  {
    id: 'qwen',
    name: 'Qwen',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    model: 'qwen-plus',
    needsKey: 'yes',
    keyPage: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    model: '',
    needsKey: 'no',
    keyPage: '',
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    model: '',
    needsKey: 'no',
    keyPage: '',
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    model: '',
    needsKey: 'no',
    keyPage: '',
  },
  // Models that other extensions provide; the editor asks them, and needs neither address nor key.
  { id: 'editor', name: '', baseUrl: '', model: '', needsKey: 'no', keyPage: '' },
  OTHER,
];

export const OPENAI_URL = 'https://api.openai.com/v1';

/** One server has one address: in small letters, without what its end does not need. */
export function tidyUrl(baseUrl: string): string {
  const tidy = baseUrl
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/chat\/completions$/, '')
    .replace(/\/+$/, '');
  return tidy.replace(
    /^([a-z]+:\/\/)([^/]*)/i,
    (_, scheme: string, host: string) => scheme.toLowerCase() + host.toLowerCase(),
  );
}

/** The preset of an address; `other` when none has it. */
export function findPreset(baseUrl: string): Preset {
  const tidy = tidyUrl(baseUrl);
  const found = PRESETS.find((each) => each.baseUrl !== '' && tidyUrl(each.baseUrl) === tidy);
  return found ?? OTHER;
}
