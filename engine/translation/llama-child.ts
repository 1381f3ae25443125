import { getLlama, LlamaChatSession, LlamaLogLevel, resolveChatWrapper } from 'node-llama-cpp'
import type { ChatHistoryItem } from 'node-llama-cpp'
import { serveChild } from '../child/serve-child.ts'

export interface LoadParams {
  modelPath: string
  threads: number
  gpu: 'cuda' | 'vulkan' | false
  /** Most tokens of prompt and answer together; fewer where the model was trained on fewer. */
  mostContextTokens: number
}

export interface AnswerParams {
  prompt: string
  /** The part of the prompt whose length tells how long an answer to allow. */
  text: string
}

/** `too_long`: prompt and room for the answer do not fit the context. `isComplete` is false where the answer was cut at its room. */
export type Answer = { kind: 'answer'; text: string; isComplete: boolean } | { kind: 'too_long' }

export type LlamaMethods = {
  load: (params: LoadParams) => Promise<{ contextTokens: number; promptFormat: string }>
  answer: (params: AnswerParams) => Promise<Answer>
}

// Pashto takes up to four times the tokens of the same English in a vocabulary built for English.
const answerTokensPerTextToken = 4
const leastAnswerTokens = 64

let session: LlamaChatSession | undefined

async function load({ modelPath, threads, gpu, mostContextTokens }: LoadParams) {
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
  const context = await model.createContext({ contextSize, threads })
  const chatWrapper = resolveChatWrapper(model)
  session = new LlamaChatSession({ contextSequence: context.getSequence(), chatWrapper, systemPrompt: '' })
  return { contextTokens: context.contextSize, promptFormat: chatWrapper.wrapperName }
}

async function answer({ prompt, text }: AnswerParams): Promise<Answer> {
  if (!session) throw new Error('No model is loaded')
  session.resetChatHistory()
  const { tokenizer } = session.model
  const room = leastAnswerTokens + answerTokensPerTextToken * tokenizer(text).length
  // Beyond the context the start of the message would be cut without a word, the instruction with it.
  if (promptTokens(session, prompt) + room > session.context.contextSize) return { kind: 'too_long' }
  const { responseText, stopReason } = await session.promptWithMeta(prompt, {
    temperature: 0,
    maxTokens: room,
    budgets: { thoughtTokens: 0 },
  })
  return { kind: 'answer', text: responseText, isComplete: stopReason !== 'maxTokens' }
}

/** Tokens of `prompt` in the model's own chat format. */
function promptTokens(chat: LlamaChatSession, prompt: string): number {
  const chatHistory: ChatHistoryItem[] = [
    ...chat.getChatHistory(),
    { type: 'user', text: prompt },
    { type: 'model', response: [] },
  ]
  return chat.chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(chat.model.tokenizer).length
}

const methods: LlamaMethods = { load, answer }
serveChild(methods)
