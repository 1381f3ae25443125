import { parseArgs } from 'node:util'
import { absenceOf } from '#testing/needs.ts'
import { measureRemoteClips } from './remote/clips-part.ts'
import { realServers, fakeServers } from './remote/round-servers.ts'
import { playRounds } from './remote/rounds-part.ts'
import { corpora } from './voices/clips.ts'
import { createReport } from './voices/report.ts'

const usage = `Usage: npm run bench -- remote --python PYTHON --models-dir DIR [--rounds N [--fake-servers]] [--clips N [--languages en,ar,fa,prs]] [--markdown]

PYTHON has faster-whisper-server; DIR has whisper-base-ct2/ and, for --clips, ggml-base.bin. --rounds plays so many calls on two servers of
which one fails, with --fake-servers on servers without a model, which needs neither; --clips compares so many clips of each language with the local engine.`

/** `npm run bench -- remote`: transcription servers against the local engine, and calls during which servers fail. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      python: { type: 'string', default: process.env.AWAZ_SPEECH_SERVER_PYTHON },
      'models-dir': { type: 'string', default: process.env.AWAZ_REAL_MODELS },
      rounds: { type: 'string', default: '0' },
      'fake-servers': { type: 'boolean', default: false },
      clips: { type: 'string', default: '0' },
      languages: { type: 'string', default: corpora.join(',') },
      markdown: { type: 'boolean', default: false },
    },
  })
  const { python, 'models-dir': modelsDir } = values
  const absence = absenceOf('recordings')
  if (absence) throw new Error(absence)
  // The servers exit with this process, even when it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  const report = createReport({ isMarkdown: values.markdown })
  const rounds = Number(values.rounds)
  if (values['fake-servers']) return playRounds(rounds, { servers: fakeServers(), report })
  if (!python || !modelsDir) throw new Error(usage)
  if (Number(values.clips) > 0) {
    const chosen = corpora.filter((corpus) => values.languages.split(',').includes(corpus))
    await measureRemoteClips(Number(values.clips), { python, modelsDir, corpora: chosen, report })
  }
  if (rounds > 0) await playRounds(rounds, { servers: realServers({ python, modelsDir }), report })
}
