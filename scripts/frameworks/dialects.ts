/** A request to a model, as far as it is read here. */
export interface Asked {
  /** All that is said in it. */
  readonly words: string
  readonly tools: readonly AskedTool[]
  /** What came of the last call; undefined before it. */
  readonly result: string | undefined
  readonly isStream: boolean
}

export interface AskedTool {
  readonly name: string
  readonly isStrict: boolean
  readonly parameters: unknown
}

export interface Call {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface Dialect {
  read(body: never): Asked
  /** A call, or the end of the conversation. */
  answer(call: Call | undefined): object
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly strict?: boolean; readonly parameters?: unknown }
  }[]
  readonly stream?: boolean
}

/** Chat completions, which most speak. */
export const chat: Dialect = {
  read({ messages, tools = [], stream = false }: ChatRequest): Asked {
    return {
      words: messages.map(({ content }) => textOf(content)).join('\n'),
      tools: tools.map(({ function: { name, strict = false, parameters } }) => ({
        ...{ name, isStrict: strict, parameters },
      })),
      result: messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content))[0],
      isStream: stream,
    }
  },
  answer(call) {
    const asked = call && {
      tool_calls: [
        {
          ...{ index: 0, id: 'call_1', type: 'function' },
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        },
      ],
    }
    const message = { role: 'assistant', content: call ? null : 'Done.', ...asked }
    const choice = { index: 0, message, delta: message, finish_reason: call ? 'tool_calls' : 'stop' }
    return {
      ...{ id: 'chat_1', object: 'chat.completion', created: 1, model: 'stand-in', choices: [choice] },
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }
  },
}

interface Part {
  readonly text?: string
  readonly functionResponse?: { readonly response: unknown }
}

interface GenerateRequest {
  readonly contents: readonly { readonly parts: readonly Part[] }[]
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly {
      readonly name: string
      readonly parameters?: unknown
      readonly parametersJsonSchema?: unknown
    }[]
  }[]
}

/** What Gemini speaks. */
export const gemini: Dialect = {
  read({ contents, tools = [] }: GenerateRequest): Asked {
    const parts = contents.flatMap((content) => content.parts)
    return {
      words: parts.map(({ text = '' }) => text).join('\n'),
      tools: tools
        .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
        .map(({ name, parameters }) => ({ name, isStrict: false, parameters })),
      result: parts.flatMap(({ functionResponse }) =>
        functionResponse ? [textOf(functionResponse.response)] : [],
      )[0],
      isStream: false,
    }
  },
  answer(call) {
    const part = call ? { functionCall: { name: call.name, args: call.arguments } } : { text: 'Done.' }
    return { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }] }
  },
}

/** Text as it is, anything else as JSON. */
function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}
