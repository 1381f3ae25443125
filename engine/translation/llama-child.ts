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
  /** Maximum context size in tokens, for prompt and completion together; the model's context length is a further limit. */
  maxContextTokens: number
  form: TranslationProfile['form']
  /** A Jinja chat template to use instead of the file's. */
  template?: string
}

export interface CompletionParams {
  prompt: Prompt
  /** The text to translate; if `maxTokens` is not set, the limit is computed from its tokens. */
  text: string
  maxTokens?: number
  stop: string[]
  sampling: Sampling
  threads: number
}

/** `too_long`: the prompt and the maximum completion do not fit the context. `isComplete` is false if the limit cut the completion. */
export type Completion =
  | { kind: 'completion'; text: string; isComplete: boolean; tokens?: { prompt: number; completion: number } }
  | { kind: 'too_long' }

export interface LoadedModelInfo {
  contextTokens: number
  promptFormat: string
  /** Whether the file or the profile has a chat template. */
  hasTemplate: boolean
}

export type LlamaMethods = {
  load: (params: LoadParams) => Promise<LoadedModelInfo>
  complete: (params: CompletionParams) => Promise<Completion>
}

// In a vocabulary built for English, Pashto takes up to four times as many tokens as the same text in English.
const completionTokensPerTextToken = 4
const minCompletionTokens = 64

interface LoadedModel {
  llama: Llama
  model: LlamaModel
  sequence: LlamaContextSequence
  session: LlamaChatSession | undefined
  completion: LlamaCompletion | undefined
}
let loaded: LoadedModel | undefined

async function load(params: LoadParams): Promise<LoadedModelInfo> {
  const { modelPath, threads, gpu, maxContextTokens, form, template } = params
  // Without these, node-llama-cpp would search for a GPU, a compiler and a download. Threads are set twice: with the default of 4 on
  // 2 busy cores, a sentence that takes milliseconds took seconds.
  const llama = await getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    maxThreads: threads,
    logLevel: LlamaLogLevel.warn,
  })
  const model = await llama.loadModel({ modelPath })
  const contextSize = Math.min(maxContextTokens, model.trainContextSize)
  // Keeps the whole KV cache, so that instructions and examples are evaluated once rather than for every line.
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
  // Reasoning takes minutes on a CPU.
  const withoutReasoning = { additionalRenderParameters: { enable_thinking: false }, reasoning: false }
  if (template !== undefined) {
    return new JinjaTemplateChatWrapper({ template, tokenizer: model.tokenizer, ...withoutReasoning })
  }
  // Its own template takes language codes in addition to the text, which no chat format carries; its turns are those of Gemma.
  if (form === 'translategemma') return new GemmaChatWrapper()
  return resolveChatWrapper(model, {
    customWrapperSettings: { qwen: { thoughts: 'discourage' }, gemma4: { reasoning: false } },
  })
}

async function complete(params: CompletionParams): Promise<Completion> {
  if (!loaded) throw new Error('No model is loaded')
  const { llama, model, sequence } = loaded
  llama.maxThreads = params.threads
  const maxTokens =
    params.maxTokens ?? minCompletionTokens + completionTokensPerTextToken * model.tokenizer(params.text).length
  // Beyond the context size, the library silently truncates the start of the message, including the instruction.
  const promptTokens = countTokens(loaded, params.prompt)
  if (promptTokens + maxTokens > sequence.context.contextSize) return { kind: 'too_long' }
  const outputTokensBefore = sequence.tokenMeter.usedOutputTokens
  const { text, stopReason } = await generate(loaded, params, maxTokens)
  const tokens = { prompt: promptTokens, completion: sequence.tokenMeter.usedOutputTokens - outputTokensBefore }
  return { kind: 'completion', text, isComplete: stopReason !== 'maxTokens', tokens }
}

async function generate(
  { session, completion }: LoadedModel,
  { prompt, sampling, stop }: CompletionParams,
  maxTokens: number,
) {
  const { repeatPenalty, ...otherSampling } = sampling
  const options = {
    ...otherSampling,
    maxTokens,
    customStopTriggers: stop,
    repeatPenalty: toRepeatPenalty(repeatPenalty),
  }
  if (prompt.kind === 'completion') {
    if (!completion) throw new Error('The model was loaded with a chat template')
    const { response, metadata } = await completion.generateCompletionWithMeta(prompt.text, options)
    return { text: response, stopReason: metadata.stopReason }
  }
  if (!session) throw new Error('The model was loaded for completions')
  const last = prompt.messages.at(-1)?.text ?? ''
  session.setChatHistory(toChatHistory(session, prompt.messages.slice(0, -1)))
  const { responseText, stopReason } = await session.promptWithMeta(last, {
    ...options,
    budgets: { thoughtTokens: 0 },
  })
  return { text: responseText, stopReason }
}

/** Undefined selects the library's default penalty. */
function toRepeatPenalty(penalty: number | undefined): false | { penalty: number } | undefined {
  if (penalty === undefined) return undefined
  return penalty === 1 ? false : { penalty }
}

function countTokens({ session, model }: LoadedModel, prompt: Prompt): number {
  if (prompt.kind === 'completion' || !session) {
    return model.tokenizer(prompt.kind === 'completion' ? prompt.text : '').length + 1
  }
  const chatHistory: ChatHistoryItem[] = [...toChatHistory(session, prompt.messages), { type: 'model', response: [] }]
  return session.chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer).length
}

function toChatHistory({ chatWrapper }: LlamaChatSession, messages: ChatMessage[]): ChatHistoryItem[] {
  const system = messages.find(({ role }) => role === 'system')?.text ?? ''
  const hasSystemMessage = chatWrapper.settings.supportsSystemMessages !== false || system !== ''
  return [
    ...(hasSystemMessage ? chatWrapper.generateInitialChatHistory({ systemPrompt: system }) : []),
    ...messages.flatMap(({ role, text }): ChatHistoryItem[] => {
      if (role === 'user') return [{ type: 'user', text }]
      return role === 'assistant' ? [{ type: 'model', response: [text] }] : []
    }),
  ]
}

const methods: LlamaMethods = { load, complete }
serveChild(methods)
