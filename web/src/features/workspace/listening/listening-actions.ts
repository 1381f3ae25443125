import { t } from '#contract/texts/t.ts'

/**
 * Actions whose keys work wherever the focus is, even while typing a line. `chord` is the default key, see chords.ts. Foot pedals send
 * keys, mostly function keys.
 */
export const listeningActions = [
  { action: 'backTwo', chord: 'F2', effect: t('Back 2 seconds') },
  { action: 'playPause', chord: 'F4', effect: t('Play or pause') },
  { action: 'slower', chord: 'F6', effect: t('Slower') },
  { action: 'faster', chord: 'F7', effect: t('Faster') },
  { action: 'playLine', chord: 'F8', effect: t('Play the line, to its end') },
  { action: 'repeat', chord: 'Shift+F8', effect: t('Repeat the line, or what is selected') },
  { action: 'points', chord: 'F9', effect: t('Repeat from here (A), to here (B), then no more') },
  { action: 'nextSpeech', chord: 'Alt+KeyS', effect: t('Next speech') },
  { action: 'nextUncertain', chord: 'Alt+KeyU', effect: t('Next uncertain line') },
  { action: 'nextHit', chord: 'Alt+KeyN', effect: t('Next hit') },
  { action: 'nextUnheard', chord: 'Alt+KeyH', effect: t('Next line not heard') },
  { action: 'nextUnverified', chord: 'Alt+KeyY', effect: t('Next line not verified') },
  { action: 'verify', chord: 'Alt+KeyV', effect: t('Verify the line, or take it back') },
] as const

export type ListeningAction = (typeof listeningActions)[number]['action']
export type ListeningActions = Record<ListeningAction, () => void>

/** Returns the key of each action: the chosen one, otherwise the default. */
export function chordsOf(chosen: Readonly<Record<string, string>>): Record<ListeningAction, string> {
  const entries = listeningActions.map(({ action, chord }) => [action, chosen[action] ?? chord])
  return Object.fromEntries(entries) as Record<ListeningAction, string> // one entry for each action
}
