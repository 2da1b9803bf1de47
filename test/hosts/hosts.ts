import type { WrittenHost } from '../../src/cli/agents/hosts.js'
import type { Call } from './stand-in.js'

/** Where a run takes place. */
export interface Place {
  /** The stand-in for the model. */
  readonly model: string
  readonly project: string
}

export interface RealHost {
  readonly name: WrittenHost
  readonly package: string
  readonly version: string
  /** The command of the package. */
  readonly command: string
  readonly args: (prompt: string, place: Place) => readonly string[]
  readonly env: (place: Place) => Readonly<Record<string, string>>
  /** What a person has set before: the model, what is trusted, and something that connect must leave alone. */
  readonly files: (place: Place) => {
    readonly home?: Readonly<Record<string, string>>
    readonly project?: Readonly<Record<string, string>>
  }
  /** What cannot be checked, with the reason. */
  readonly lacks?: string
  /** Writes a file with a tool of the host; undefined for a host without hooks. */
  readonly write?: (file: string) => Omit<Call, 'after'>
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

export const HOSTS: readonly RealHost[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.328',
    command: 'claude',
    args: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__loregraph,Write'],
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    files: () => ({
      project: {
        '.mcp.json': '{\r\n\t"mcpServers": { }\r\n}',
        '.claude/settings.json': '{"permissions":{"deny":["WebSearch"]}}',
        '.claude/settings.local.json': json({ enabledMcpjsonServers: ['loregraph'] }),
      },
    }),
    write: (file) => ({ tool: /^Write$/, args: { file_path: file, content: 'Done.\n' } }),
  },
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    command: 'codex',
    args: (prompt) => [
      'exec',
      '--dangerously-bypass-hook-trust',
      '--dangerously-bypass-approvals-and-sandbox',
      '--skip-git-repo-check',
      prompt,
    ],
    env: () => ({}),
    files: ({ model, project }) => ({
      home: {
        '.codex/config.toml': [
          'model = "gpt-5.5"',
          'model_provider = "stand-in"',
          '[model_providers.stand-in]',
          'name = "stand-in"',
          `base_url = ${JSON.stringify(`${model}/v1`)}`,
          'wire_api = "responses"',
          // Otherwise it fetches a list of plugins from GitHub.
          '[features]',
          'plugins = false',
          `[projects.${JSON.stringify(project)}]`,
          'trust_level = "trusted"',
          '',
        ].join('\n'),
      },
      project: { '.codex/config.toml': '# ours\nmodel_reasoning_effort = "low"' },
    }),
    write: (file) => ({
      tool: /^apply_patch$/,
      args: { input: `*** Begin Patch\n*** Add File: ${file}\n+Done.\n*** End Patch\n` },
    }),
  },
  {
    name: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    command: 'copilot',
    args: (prompt) => ['-p', prompt, '--allow-all-tools', '--allow-all-paths'],
    env: ({ model }) => ({
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'stand-in',
      COPILOT_OFFLINE: 'true',
    }),
    files: () => ({ home: { '.copilot/mcp-config.json': '{"mcpServers": {}}\n' } }),
    write: (file) => ({ tool: /^create$/, args: { path: file, file_text: 'Done.\n' } }),
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    command: 'gemini',
    // Left to choose a model, it would ask one which to take.
    args: (prompt) => ['-m', 'gemini-2.5-flash', '-p', prompt, '--approval-mode', 'yolo'],
    env: ({ model }) => ({
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_API_KEY: 'none',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    files: () => ({
      home: {
        '.gemini/settings.json': json({
          security: { auth: { selectedType: 'gemini-api-key' } },
          general: { enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
        }),
      },
      project: { '.gemini/settings.json': '{\n   // ours\n   "ui": { "hideTips": true }\n}\n' },
    }),
    write: (file) => ({ tool: /^write_file$/, args: { file_path: file, content: 'Done.\n' } }),
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    command: 'opencode',
    lacks: 'hooks, since opencode has plugins and no hooks',
    args: (prompt) => ['run', prompt],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: 'true', OPENCODE_DISABLE_MODELS_FETCH: 'true' }),
    files: ({ model }) => ({
      home: {
        '.config/opencode/opencode.json': json({
          $schema: 'https://opencode.ai/config.json',
          model: 'stand-in/stand-in',
          small_model: 'stand-in/stand-in',
          provider: {
            'stand-in': {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${model}/v1`, apiKey: 'none' },
              models: { 'stand-in': {} },
            },
          },
        }),
      },
      project: {
        'opencode.json': '{\n\t"$schema": "https://opencode.ai/config.json",\n\t"share": "disabled"\n}\n',
      },
    }),
  },
]
