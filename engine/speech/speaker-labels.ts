import type { Channel } from './channel-plan.ts'

/** A line as far as its speaker goes. */
export interface SpokenBy {
  channel: 0 | 1
  voice: number
}

/** A speaker of the transcript: one voice of one channel. */
export interface LabelledVoice<Plan extends Channel> {
  label: string
  plan: Plan
  /** Whether a line is this speaker's. */
  says: (line: SpokenBy) => boolean
}

/**
 * The speakers of a transcript in the order of their labels. A channel of two has its own label, for the voice that speaks most in it;
 * all other voices take the next letters by their first line. `lines` are in order of time.
 */
export function labelVoices<Plan extends Channel>(plans: Plan[], lines: readonly SpokenBy[]): LabelledVoice<Plan>[] {
  const fixed = plans.length > 1 ? plans.map((plan) => toVoice(plan.speaker, plan, mainVoice(plan))) : []
  const labelled = [...fixed]
  for (const line of lines) {
    const plan = plans.find(({ channel }) => channel === line.channel)
    if (!plan || labelled.some(({ says }) => says(line))) continue
    labelled.push(toVoice(`Speaker ${letter(labelled.length)}`, plan, line.voice))
  }
  return labelled
}

function toVoice<Plan extends Channel>(label: string, plan: Plan, voice: number): LabelledVoice<Plan> {
  return { label, plan, says: (line) => line.channel === plan.channel && (line.voice === voice || !plan.voices) }
}

/** The voice that speaks most in a channel. */
function mainVoice({ voices }: Channel): number {
  const spokenMs = new Map<number, number>()
  for (const { voice, startMs, endMs } of voices?.turns ?? []) {
    spokenMs.set(voice, (spokenMs.get(voice) ?? 0) + endMs - startMs)
  }
  return [...spokenMs].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

function letter(index: number): string {
  return index < 26 ? String.fromCodePoint(65 + index) : String(index + 1)
}
