import { join } from 'node:path'
import { decodeAudio } from '#engine/audio/decode.ts'
import { countErrors } from '#engine/evaluate/metrics.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { decodeSampleCall, readWhole } from '#engine/speech/testing/sample-call.ts'
import type { SampleLine } from '#engine/speech/testing/sample-call.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { mix, silence, testRate, writeWav } from '#testing/audio.ts'
import { withFolder } from '../voices/clips.ts'
import { percent } from '../voices/report.ts'
import type { Report } from '../voices/report.ts'

const marginMs = 300

/** Measures the demo model's words in pairs of generated sentences: begun together, one on each channel, and one after the other. */
export async function measureWords(report: Report): Promise<void> {
  const model = await findSpeechModel('demo-speech')
  const backends = createSpeechBackendCache({ threads: 1 })
  const totals = { words: 0, atOnce: 0, inTurn: 0 }
  try {
    for (const { left, right, lines } of await readSentences()) {
      for (const way of ['atOnce', 'inTurn'] as const) {
        const result = await withFolder(async (workDir) => {
          await writeWav(join(workDir, 'pair.wav'), placeSentences(left, right, { isInTurn: way === 'inTurn' }))
          const decoded = await decodeAudio(join(workDir, 'pair.wav'), { workDir })
          return transcribeRecording(decoded, { language: ['ps', 'en'], model, backends })
        })
        for (const line of lines) {
          const spoken = result.speaker_transcriptions.find(({ channel }) => channel === line.channel)
          const { words, wordErrors } = countErrors(line.text, spoken?.transcription ?? '')
          if (way === 'atOnce') totals.words += words
          totals[way] += wordErrors
        }
      }
    }
  } finally {
    await backends.close()
  }
  report.heading('Words of the demo model in pairs of generated sentences on two channels')
  report.line(`in turn: ${percent(totals.inTurn / totals.words)}% of ${totals.words} words are wrong`)
  report.line(`at once: ${percent(totals.atOnce / totals.words)}% of ${totals.words} words are wrong`)
}

interface SentencePair {
  left: Float32Array
  right: Float32Array
  lines: SampleLine[]
}

/** Returns the first lines of both speakers of the sample call as a pair, then the second lines, and so on. */
async function readSentences(): Promise<SentencePair[]> {
  return withFolder(async (workDir) => {
    const { decoded, lines } = await decodeSampleCall(workDir)
    const channels = [await readWhole(decoded, 0), await readWhole(decoded, 1)] as const
    const cut = ({ channel, start, end }: SampleLine) =>
      (channels[channel] ?? channels[0]).slice(start * testRate, end * testRate)
    const lefts = lines.filter(({ channel }) => channel === 0)
    const rights = lines.filter(({ channel }) => channel === 1)
    return lefts.flatMap((left, index) => {
      const right = rights[index]
      return right ? [{ left: cut(left), right: cut(right), lines: [left, right] }] : []
    })
  })
}

function placeSentences(left: Float32Array, right: Float32Array, { isInTurn }: { isInTurn: boolean }): Float32Array[] {
  const [leftMs, rightMs] = [(left.length / testRate) * 1000, (right.length / testRate) * 1000]
  const rightAtMs = marginMs + (isInTurn ? leftMs + marginMs : 0)
  const empty = silence(Math.max(marginMs + leftMs, rightAtMs + rightMs) + marginMs)
  return [mix(empty, [{ sound: left, atMs: marginMs }]), mix(empty, [{ sound: right, atMs: rightAtMs }])]
}
