import { listeningActions, type ListeningAction } from '../listening-actions.ts'

/** The default actions of three pedals, from the left. */
const defaultActions: ListeningAction[] = ['backTwo', 'playPause', 'nextSpeech']
/** The numbers of the pedals with a default action. */
export const defaultPedals = defaultActions.map((_, index) => index + 1)

/** Returns the action of a pedal: the chosen one, otherwise the default; undefined for none. */
export function actionOfPedal(pedal: number, chosen: Readonly<Record<string, string>>): ListeningAction | undefined {
  const own = chosen[pedal]
  if (own === undefined) return defaultActions[pedal - 1]
  return listeningActions.find(({ action }) => action === own)?.action
}
