import { afterEach, expect, test } from 'vitest'
import type { TranscriptFormat } from '#contract/transcript-formats.ts'
import { packJson } from '#data/jobs/packed-json.ts'
import { readZip } from '#testing/read-zip.ts'
import { makeTranscription } from '#testing/work.ts'
import { maxLaneThreads } from '#server/security/heavy-reads.ts'
import type { TranscriptTasks } from './transcript-tasks.ts'
import { createTranscriptThreads, type TranscriptThreads } from './transcript-threads.ts'

const transcriptionId = '0123456789abcdef01234567'
const staying = new AbortController().signal
let threads: TranscriptThreads | undefined

afterEach(() => threads?.close())

function open(options?: Parameters<typeof createTranscriptThreads>[0]): TranscriptThreads {
  threads = createTranscriptThreads(options)
  return threads
}

/** Returns a task that writes a call with this many lines as one file. */
async function fileOf(
  format: TranscriptFormat,
  { lines = 2, target }: { lines?: number; target?: string } = {},
): Promise<TranscriptTasks['writeFiles']> {
  const segments = Array.from({ length: lines }, (_, start) => ({ start, end: start + 1, text: `line ${start}` }))
  const result = makeTranscription({ segments, speaker_transcriptions: [], num_speakers: 1 })
  return {
    transcript: {
      name: 'call.wav',
      origin: {},
      recording: { speakerCorrections: null, otherSpeakerCorrections: [] },
      transcriptionId,
      marks: [],
      translations: [],
    },
    packed: {
      results: new Map([[transcriptionId, { kind: 'transcribe', data: new Uint8Array(await packJson(result)) }]]),
      edits: new Map(),
    },
    files: [{ format, target, doubt: 'none', keywords: null }],
  }
}

test('writes what is short and what is long, and a Word file of either', async () => {
  const { run } = open()
  const [short] = await run('writeFiles', await fileOf('txt'), staying)
  expect(short?.toString()).toContain('line 1')
  const [long] = await run('writeFiles', await fileOf('srt', { lines: 60_000 }), staying)
  expect(long?.toString()).toContain('line 59999')
  const [word] = await run('writeFiles', await fileOf('docx'), staying)
  const xml = readZip(word ?? Buffer.of()).get('word/document.xml') ?? ''
  expect(xml.replaceAll(/<[^>]+>/g, '')).toContain('line 1')
})

test('an error meant for the caller keeps its code between threads', async () => {
  const { run } = open()
  for (const format of ['txt', 'docx'] as const) {
    const task = await fileOf(format, { target: 'ur' })
    await expect(run('writeFiles', task, staying)).rejects.toMatchObject({ name: 'AppError', code: 'conflict' })
  }
})

test('a document that takes too long is given up with a sentence', async () => {
  const { run } = open({ timeoutMs: 1 })
  await expect(run('writeFiles', await fileOf('docx'), staying)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a task ends with its caller, and the next one is served', async () => {
  const { run } = open()
  const leaving = new AbortController()
  const left = run('writeFiles', await fileOf('docx', { lines: 20_000 }), leaving.signal)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const [word] = await run('writeFiles', await fileOf('docx'), staying)
  expect(word?.byteLength).toBeGreaterThan(0)
})

test('what a screen waits for has threads of its own, which files leave free', async () => {
  const { run } = open()
  const leaving = new AbortController()
  const ended: string[] = []
  const file = await fileOf('docx', { lines: 60_000 })
  const { packed, transcript } = await fileOf('txt', { lines: 60_000 })
  const files = Array.from({ length: maxLaneThreads.file }, async () => {
    await run('writeFiles', file, leaving.signal).catch(() => undefined)
    ended.push('file')
  })
  await run('writeVersion', { recording: transcript.recording, transcriptionId, packed }, staying)
  expect(ended).toEqual([])
  leaving.abort(new Error('left'))
  await Promise.all(files)
})

test('a thread ends with its memory when there was nothing to do', async () => {
  const { run, threadCount } = open({ idleTimeoutMs: 20 })
  await run('writeFiles', await fileOf('docx'), staying)
  await expect.poll(threadCount).toBe(0)
})
