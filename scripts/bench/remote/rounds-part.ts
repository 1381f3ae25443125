import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { RemoteSpeech } from '#engine/speech/remote/remote-speech.ts'
import { faults } from '#engine/speech/remote/testing/behaviours.ts'
import { startFakeServer } from '#engine/speech/remote/testing/fake-server.ts'
import { spread } from '../voices/report.ts'
import type { Cells, Report } from '../voices/report.ts'
import { openServers, transcribeByServers, withRecording } from './remote-product.ts'
import type { RealServer } from './real-server.ts'

/** A server that works, and one like it that will be killed while it does. */
export interface RoundServers {
  startGood(): Promise<RealServer>
  startVictim(): Promise<RealServer>
}

interface RoundsContext {
  servers: RoundServers
  report: Report
}

const call = { language: 'en', maxWindowMs: 6000 } as const
/** Short enough that a hanging server is tried several times in a call, long enough for a busy machine. */
const timeoutMs = 40_000
const hangTimeoutMs = 20_000
const clipsOfCall = 3

/**
 * Calls on two servers: a good one, and one that is killed while it works or that makes a mistake, each in turn. Whatever happens, the
 * result must equal that of the good one by itself: no line lost and none repeated.
 */
export async function playRounds(rounds: number, { report, servers }: RoundsContext): Promise<void> {
  const names = ['is killed while it works', ...Object.keys(faults)]
  const tallies = new Map(names.map((name) => [name, { rounds: 0, whole: 0, failures: 0, ms: [] as number[] }]))
  const good = await servers.startGood()
  try {
    await withRecording(clipsOfCall, async (decoded) => {
      const alone = openServers([good.address])
      const expected = await transcribeByServers(decoded, { ...call, remote: alone })
      alone.close()
      console.error(`  … a call of ${Math.round(decoded.durationMs / 1000)} s with ${expected.segments.length} lines`)
      for (let round = 0; round < rounds; round += 1) {
        const name = names[round % names.length] ?? ''
        const startedAt = performance.now()
        const { result, failed } = await playRound(name, { decoded, good, servers })
        const tally = tallies.get(name)
        if (!tally) continue
        tally.rounds += 1
        tally.failures += failed
        tally.whole += isDeepStrictEqual(result, expected) ? 1 : 0
        tally.ms.push(performance.now() - startedAt)
        const verdict = isDeepStrictEqual(result, expected) ? 'whole' : 'NOT WHOLE'
        console.error(`  … ${round + 1}: one ${name}: ${verdict}, ${failed} failed requests`)
      }
    })
  } finally {
    await good.kill()
  }
  const rows = [...tallies].filter(([, tally]) => tally.rounds > 0)
  report.heading('Calls on two servers of which one fails')
  report.table(
    Object.fromEntries(
      rows.map(([name, { rounds, whole, failures, ms }]): [string, Cells] => [
        name,
        { rounds, whole, 'failed requests': failures, 'median s': Math.round(spread(ms).median / 1000) },
      ]),
    ),
  )
  const broken = rows.reduce((sum, [, tally]) => sum + tally.rounds - tally.whole, 0)
  report.verdict(`${rounds} calls, ${broken} with a line lost or twice`, broken === 0)
}

interface Round {
  decoded: DecodedAudio
  good: RealServer
  servers: RoundServers
}

async function playRound(name: string, round: Round): Promise<{ result: TranscriptionResult; failed: number }> {
  if (name === 'is killed while it works') return playKill(round)
  const bad = await startFakeServer(faults[name])
  try {
    return await transcribe([bad.address, round.good.address], round)
  } finally {
    await bad.close()
  }
}

async function playKill(round: Round): Promise<{ result: TranscriptionResult; failed: number }> {
  const victim = await round.servers.startVictim()
  try {
    return await transcribe([victim.address, round.good.address], round, async (remote, signal) => {
      while (!signal.aborted && remote.describe()[0]?.in_flight === 0) await wait(20)
      await wait(Math.random() * 500)
      await victim.kill()
    })
  } finally {
    await victim.kill()
  }
}

async function transcribe(
  addresses: string[],
  { decoded }: Round,
  meanwhile?: (remote: RemoteSpeech, signal: AbortSignal) => Promise<void>,
): Promise<{ result: TranscriptionResult; failed: number }> {
  const remote = openServers(addresses, { timeoutMs: meanwhile ? timeoutMs : hangTimeoutMs })
  const ended = new AbortController()
  try {
    const disturbing = meanwhile?.(remote, ended.signal)
    const result = await transcribeByServers(decoded, { ...call, remote })
    ended.abort()
    await disturbing
    return { result, failed: remote.describe()[0]?.failed ?? 0 }
  } finally {
    ended.abort()
    remote.close()
  }
}
