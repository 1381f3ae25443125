import { listeningActions, type ListeningAction } from '../listening-actions.ts'

/** What three pedals do at first, from the left. */
const defaultActions: ListeningAction[] = ['backTwo', 'playPause', 'nextSpeech']
/** Their numbers. */
export const defaultPedals = defaultActions.map((_, index) => index + 1)

/** Returns what a pedal does: what was chosen for it, else what pedals do at first; undefined for nothing. */
export function actionOfPedal(pedal: number, chosen: Readonly<Record<string, string>>): ListeningAction | undefined {
  const own = chosen[pedal]
  if (own === undefined) return defaultActions[pedal - 1]
  return listeningActions.find(({ action }) => action === own)?.action
}
