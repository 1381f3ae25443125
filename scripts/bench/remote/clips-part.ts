import { editDistance } from '#contract/edit-distance.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { corpusNames, readClips, withFolder } from '../voices/clips.ts'
import type { Corpus } from '../voices/clips.ts'
import { findModel, transcribeFile, createBackends } from '../voices/product.ts'
import { percent } from '../voices/report.ts'
import type { Cells, Report } from '../voices/report.ts'
import { openServers, transcribeByServers } from './remote-product.ts'
import { startRealServer } from './real-server.ts'

interface ClipsContext {
  python: string
  modelsDir: string
  corpora: readonly Corpus[]
  report: Report
}

/** Measures word error rates of the same weights on the local engine and on a server, with the first clips of each language. */
export async function measureRemoteClips(
  perCorpus: number,
  { report, corpora, ...paths }: ClipsContext,
): Promise<void> {
  const server = await startRealServer(paths)
  const remote = openServers([server.address])
  const backends = createBackends()
  const rows: Record<string, Cells> = {}
  try {
    const model = await findModel('whisper-base', paths.modelsDir)
    for (const corpus of corpora) {
      const tally = { clips: 0, words: 0, local: 0, remote: 0 }
      for (const { path, language, transcript } of await readClips({ only: [corpus], perCorpus })) {
        const said = foldedWords(transcript)
        const local = await transcribeFile(path, { model, language, backends })
        const result = await withFolder(async (workDir) =>
          transcribeByServers(await decodeAudio(path, { workDir }), { remote, language }),
        )
        tally.clips += 1
        tally.words += said.length
        tally.local += editDistance(said, foldedWords(local.result.transcription))
        tally.remote += editDistance(said, foldedWords(result.transcription))
      }
      const [localWer, remoteWer] = [tally.local / tally.words, tally.remote / tally.words]
      rows[corpusNames[corpus]] = {
        clips: tally.clips,
        'whisper.cpp WER': percent(localWer),
        'faster-whisper-server WER': percent(remoteWer),
      }
      console.error(`  … ${corpusNames[corpus]}: ${percent(localWer)}% and ${percent(remoteWer)}%`)
    }
  } finally {
    remote.close()
    await Promise.all([backends.close(), server.kill()])
  }
  report.heading('The same weights by the local engine and by a transcription server: errors in percent')
  report.table(rows)
}
