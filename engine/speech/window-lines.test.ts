import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findSpeechModel } from '../models/catalog.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import { scriptedBackend, scriptedSegment } from './testing/scripted-backend.ts'
import { transcribeLines } from './window-lines.ts'

const frames = new Float32Array(500).fill(0.1)
const window: SpeechWindow = {
  durationMs: 8600,
  pieces: [
    {
      sourceStartMs: 700,
      sourceEndMs: 9300,
      speechStartMs: 1000,
      speechEndMs: 9000,
      windowStartMs: 0,
      beginsTurn: true,
    },
  ],
}

/** Stands in for an engine that returns these texts in turn, each at its times within the window, and then nothing. */
function backendOf(...texts: { text: string; startMs: number; endMs: number }[]): SpeechBackend {
  const left = [...texts]
  return scriptedBackend(() => ({ isComplete: true, segments: left.splice(0, 1).map(scriptedSegment) }))
}

async function transcribe(backend: SpeechBackend) {
  const pcmPath = join(await temporaryFolder(), 'samples.pcm')
  await writeFile(pcmPath, new Uint8Array(10 * 32_000))
  const decoded = { pcmPath, channelCount: 1 } as Partial<DecodedAudio> as DecodedAudio // all that is read here
  const model = await findSpeechModel('whisper-base')
  const planned = {
    channel: 0 as const,
    index: 0,
    key: 'one',
    window,
    language: 'en',
    languageProbability: null,
    model,
  }
  return await transcribeLines(planned, { decoded, frames, backend })
}

test('a window whose only line has no length is transcribed on its own once more', async () => {
  const invented = { text: 'And they followed them very closely.', startMs: 4000, endMs: 4000 }
  const said = { text: 'has never been surpassed', startMs: 300, endMs: 8300 }
  expect(await transcribe(backendOf(invented, said))).toMatchObject({
    lines: [{ text: 'has never been surpassed', startMs: 1000, endMs: 9000 }],
    notUnderstood: [],
    impossible: [{ text: 'And they followed them very closely.' }],
  })
})

test('a word that was heard only after the speech is left out, and listed', async () => {
  const said = { text: 'is this it', startMs: 300, endMs: 7000 }
  const after = { text: 'That', startMs: 8300, endMs: 8600 }
  const segments = [said, after].map(scriptedSegment)
  expect(await transcribe(scriptedBackend(() => ({ isComplete: true, segments })))).toMatchObject({
    lines: [{ text: 'is this it' }],
    impossible: [{ text: 'That' }],
  })
})

test('text that a line with the right times says is not listed as left out', async () => {
  const text = 'And they followed them very closely.'
  const found = await transcribe(backendOf({ text, startMs: 4000, endMs: 4000 }, { text, startMs: 300, endMs: 8300 }))
  expect(found).toMatchObject({ lines: [{ text }], impossible: [] })
})

test('speech without words is listed, and a window without any word is not transcribed twice', async () => {
  const found = await transcribe(backendOf())
  expect(found).toMatchObject({ lines: [], notUnderstood: [{ startMs: 1000, endMs: 9000 }] })
})
