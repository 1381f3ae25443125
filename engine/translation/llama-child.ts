import {
  GemmaChatWrapper,
  getLlama,
  JinjaTemplateChatWrapper,
  LlamaChatSession,
  LlamaCompletion,
  LlamaLogLevel,
  resolveChatWrapper,
} from 'node-llama-cpp'
import type { ChatHistoryItem, ChatWrapper, Llama, LlamaContextSequence, LlamaModel } from 'node-llama-cpp'
import type { TranslationProfile } from '#engine/models/model-entry.ts'
import { serveChild } from '../child/serve-child.ts'
import type { ChatMessage, Prompt, Sampling } from './profiles/request.ts'

export interface LoadParams {
  modelPath: string
  threads: number
  gpu: 'cuda' | 'vulkan' | false
  /** Most tokens of prompt and answer together; fewer where the model was trained on fewer. */
  mostContextTokens: number
  form: TranslationProfile['form']
  /** A chat template in Jinja instead of the file's. */
  template?: string
}

export interface AnswerParams {
  prompt: Prompt
  /** The part of the prompt whose length tells how long an answer to allow where `maxTokens` does not. */
  text: string
  maxTokens?: number
  stop: string[]
  sampling: Sampling
  threads: number
}

/** `too_long`: prompt and room for the answer do not fit the context. `isComplete` is false where the answer was cut at its room. */
export type Answer =
  | { kind: 'answer'; text: string; isComplete: boolean; tokens?: { prompt: number; answer: number } }
  | { kind: 'too_long' }

export interface LoadedFacts {
  contextTokens: number
  promptFormat: string
  /** Whether the file, or the profile, says how its chats are written. */
  hasTemplate: boolean
}

export type LlamaMethods = {
  load: (params: LoadParams) => Promise<LoadedFacts>
  answer: (params: AnswerParams) => Promise<Answer>
}

// Pashto takes up to four times the tokens of the same English in a vocabulary built for English.
const answerTokensPerTextToken = 4
const leastAnswerTokens = 64

interface Loaded {
  llama: Llama
  model: LlamaModel
  sequence: LlamaContextSequence
  session: LlamaChatSession | undefined
  completion: LlamaCompletion | undefined
}
let loaded: Loaded | undefined

async function load(params: LoadParams): Promise<LoadedFacts> {
  const { modelPath, threads, gpu, mostContextTokens, form, template } = params
  // Without these llama would look for a GPU, a compiler and a download. Threads are set twice: the default of 4 on 2 busy cores
  // made a millisecond's sentence take seconds.
  const llama = await getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    maxThreads: threads,
    logLevel: LlamaLogLevel.warn,
  })
  const model = await llama.loadModel({ modelPath })
  const contextSize = Math.min(mostContextTokens, model.trainContextSize)
  // The whole cache is kept, so that instructions and examples are read once and not with every line.
  const context = await model.createContext({ contextSize, threads, swaFullCache: true })
  const sequence = context.getSequence()
  const ownTemplate = template ?? model.fileInfo.metadata.tokenizer.chat_template
  const hasTemplate = ownTemplate !== undefined && ownTemplate.trim() !== ''
  if (form === 'completion') {
    loaded = {
      llama,
      model,
      sequence,
      session: undefined,
      completion: new LlamaCompletion({ contextSequence: sequence }),
    }
    return { contextTokens: context.contextSize, promptFormat: 'completion', hasTemplate }
  }
  const chatWrapper = chatWrapperFor(model, { form, template })
  const session = new LlamaChatSession({ contextSequence: sequence, chatWrapper, systemPrompt: '' })
  loaded = { llama, model, sequence, session, completion: undefined }
  return { contextTokens: context.contextSize, promptFormat: chatWrapper.wrapperName, hasTemplate }
}

function chatWrapperFor(model: LlamaModel, { form, template }: Pick<LoadParams, 'form' | 'template'>): ChatWrapper {
  // Thoughts cost minutes on a CPU, and are no translation.
  const withoutThoughts = { additionalRenderParameters: { enable_thinking: false }, reasoning: false }
  if (template !== undefined) {
    return new JinjaTemplateChatWrapper({ template, tokenizer: model.tokenizer, ...withoutThoughts })
  }
  // Its own template takes language codes beside the text, which no chat format carries: the turns are Gemma's.
  if (form === 'translategemma') return new GemmaChatWrapper()
  return resolveChatWrapper(model, {
    customWrapperSettings: { qwen: { thoughts: 'discourage' }, gemma4: { reasoning: false } },
  })
}

async function answer(params: AnswerParams): Promise<Answer> {
  if (!loaded) throw new Error('No model is loaded')
  const { llama, model, sequence } = loaded
  llama.maxThreads = params.threads
  const room = params.maxTokens ?? leastAnswerTokens + answerTokensPerTextToken * model.tokenizer(params.text).length
  // Beyond the context the start of the message would be cut without a word, the instruction with it.
  const promptTokens = countTokens(loaded, params.prompt)
  if (promptTokens + room > sequence.context.contextSize) return { kind: 'too_long' }
  const before = sequence.tokenMeter.usedOutputTokens
  const { text, stopReason } = await generate(loaded, params, room)
  const tokens = { prompt: promptTokens, answer: sequence.tokenMeter.usedOutputTokens - before }
  return { kind: 'answer', text, isComplete: stopReason !== 'maxTokens', tokens }
}

async function generate({ session, completion }: Loaded, { prompt, sampling, stop }: AnswerParams, room: number) {
  const { repeatPenalty, ...drawing } = sampling
  const options = {
    ...drawing,
    maxTokens: room,
    customStopTriggers: stop,
    repeatPenalty: penaltyOf(repeatPenalty),
  }
  if (prompt.kind === 'completion') {
    if (!completion) throw new Error('The model was loaded for chats')
    const { response, metadata } = await completion.generateCompletionWithMeta(prompt.text, options)
    return { text: response, stopReason: metadata.stopReason }
  }
  if (!session) throw new Error('The model was loaded for completions')
  const last = prompt.messages.at(-1)?.text ?? ''
  session.setChatHistory(historyOf(session, prompt.messages.slice(0, -1)))
  const { responseText, stopReason } = await session.promptWithMeta(last, {
    ...options,
    budgets: { thoughtTokens: 0 },
  })
  return { text: responseText, stopReason }
}

/** Undefined is the library's own small penalty. */
function penaltyOf(penalty: number | undefined): false | { penalty: number } | undefined {
  if (penalty === undefined) return undefined
  return penalty === 1 ? false : { penalty }
}

function countTokens({ session, model }: Loaded, prompt: Prompt): number {
  if (prompt.kind === 'completion' || !session) {
    return model.tokenizer(prompt.kind === 'completion' ? prompt.text : '').length + 1
  }
  const chatHistory: ChatHistoryItem[] = [...historyOf(session, prompt.messages), { type: 'model', response: [] }]
  return session.chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer).length
}

function historyOf({ chatWrapper }: LlamaChatSession, messages: ChatMessage[]): ChatHistoryItem[] {
  const system = messages.find(({ role }) => role === 'system')?.text ?? ''
  const isSystemKnown = chatWrapper.settings.supportsSystemMessages !== false || system !== ''
  return [
    ...(isSystemKnown ? chatWrapper.generateInitialChatHistory({ systemPrompt: system }) : []),
    ...messages.flatMap(({ role, text }): ChatHistoryItem[] => {
      if (role === 'user') return [{ type: 'user', text }]
      return role === 'assistant' ? [{ type: 'model', response: [text] }] : []
    }),
  ]
}

const methods: LlamaMethods = { load, answer }
serveChild(methods)
