import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { readWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { planWindows } from './channel-plan.ts'
import type { Channel, PlannedWindow } from './channel-plan.ts'
import { voteLanguage } from './language-vote.ts'
import type { SpeechEngine } from './speech-engine.ts'
import type { DetectedLanguage } from './whisper.ts'
import { toProductLanguage } from './whisper-languages.ts'

/** Whisper tells the language from 30 s at most; a model that hears short windows gets several. */
const enoughMs = 30_000
const mostWindows = 4

/**
 * The language of a channel, from up to 30 s of its first speech. The probability is the model's own, which whisper.cpp writes to
 * its log (smart-whisper does not hand it on); see voteLanguage for several windows. Undefined when nothing is said.
 */
export async function detectChannelLanguage(
  channel: Channel,
  context: { decoded: DecodedAudio; engine: SpeechEngine; model: SpeechModel; signal?: AbortSignal },
): Promise<DetectedLanguage | undefined> {
  const { decoded, engine, model, signal } = context
  const heard: (DetectedLanguage & { durationMs: number })[] = []
  for (const { window } of firstWindows(planWindows(channel, model))) {
    const whisper = await engine.use(model, { signal })
    const { language, probability } = await whisper.detectLanguage(await readWindow(decoded, channel.channel, window), {
      signal,
    })
    heard.push({ language: toProductLanguage(language), probability, durationMs: window.durationMs })
  }
  return voteLanguage(heard)
}

function firstWindows(windows: PlannedWindow[]): PlannedWindow[] {
  let heardMs = 0
  return windows.slice(0, mostWindows).filter(({ window }) => {
    const isWanted = heardMs < enoughMs
    heardMs += window.durationMs
    return isWanted
  })
}
