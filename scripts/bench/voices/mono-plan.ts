import { seededRandom } from '#testing/audio.ts'

/** Something said without a longer pause. */
export interface PhraseLength {
  ms: number
  /** Pause before the next phrase of the same clip; none behind the clip's last. */
  pauseMs?: number
}

export interface MonoPlanOptions {
  minutes: number
  /** Lengths of the phrases of each voice, in the order in which they were spoken. */
  phrases: readonly (readonly PhraseLength[])[]
  seed: number
}

export interface PlannedPhrase {
  voice: number
  /** An index into that voice's phrases. */
  phrase: number
  startMs: number
  endMs: number
}

/** Most turns are a sentence or two, some one short phrase. */
const turnMs = { shortest: 1500, longest: 9000 }
const shortTurn = { share: 0.25, longestMs: 2000 }
const gapMs = { shortest: 150, longest: 1500 }
const longGap = { share: 0.1, shortest: 1500, longest: 5000 }
/** Between phrases that were not spoken in a row. */
const breathMs = { shortest: 300, longest: 700 }
/** How much of the speech is said while another voice speaks: each call draws its own share, which it keeps near. */
const talkOver = { leastShare: 0.02, mostShare: 0.1, shortest: 300, longest: 1500 }

/** Plans who says what when in one channel. The same seed gives the same call. */
export function planMonoCall({ minutes, phrases, seed }: MonoPlanOptions): PlannedPhrase[] {
  const random = seededRandom(seed)
  const between = ({ shortest, longest }: { shortest: number; longest: number }) =>
    Math.round(shortest + (longest - shortest) * random())
  const overShare = talkOver.leastShare + (talkOver.mostShare - talkOver.leastShare) * random()
  const next = phrases.map((list) => Math.floor(random() * list.length))
  const planned: PlannedPhrase[] = []
  let [spokenMs, overMs, atMs] = [0, 0, 500]
  for (let turn = 0, voice = 0; ; turn += 1) {
    const planTurn = random() < shortTurn.share ? planShortPhrase : planPhrases
    const phrasesOfTurn = planTurn(voice, atMs)
    const endMs = phrasesOfTurn.at(-1)?.endMs ?? atMs
    if (endMs >= minutes * 60_000) return planned
    planned.push(...phrasesOfTurn)
    spokenMs += phrasesOfTurn.reduce((sum, phrase) => sum + phrase.endMs - phrase.startMs, 0)
    const isOver = phrases.length > 1 && overMs < overShare * spokenMs && turn > 0
    const lastMs = endMs - (phrasesOfTurn.at(-1)?.startMs ?? endMs)
    const sharedMs = isOver ? Math.min(between(talkOver), Math.round(lastMs / 2)) : 0
    overMs += sharedMs
    atMs = sharedMs > 0 ? endMs - sharedMs : endMs + between(random() < longGap.share ? longGap : gapMs)
    voice = nextVoice(voice, turn)
  }

  /** Everybody speaks once before chance decides. */
  function nextVoice(voice: number, turn: number): number {
    if (turn + 1 < phrases.length) return turn + 1
    const others = phrases.length - 1
    return others === 0 ? 0 : (voice + 1 + Math.floor(random() * others)) % phrases.length
  }

  function planPhrases(voice: number, startMs: number): PlannedPhrase[] {
    const list = phrases[voice] ?? []
    const wantedMs = between(turnMs)
    const turn: PlannedPhrase[] = []
    for (let at = startMs; at - startMs < wantedMs;) {
      const index = next[voice] ?? 0
      const { ms = 0, pauseMs } = list[index] ?? {}
      if (turn.length > 0 && at + ms - startMs > turnMs.longest) break
      turn.push({ voice, phrase: index, startMs: at, endMs: at + ms })
      next[voice] = (index + 1) % list.length
      at += ms + (pauseMs ?? between(breathMs))
    }
    return turn
  }

  function planShortPhrase(voice: number, startMs: number): PlannedPhrase[] {
    const list = phrases[voice] ?? []
    const short = [...list.keys()].filter((index) => (list[index]?.ms ?? 0) <= shortTurn.longestMs)
    const index = short[Math.floor(random() * short.length)]
    if (index === undefined) return planPhrases(voice, startMs)
    return [{ voice, phrase: index, startMs, endMs: startMs + (list[index]?.ms ?? 0) }]
  }
}
