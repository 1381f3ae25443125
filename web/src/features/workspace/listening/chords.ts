import { t } from '#contract/texts/t.ts'

type Press = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

const modifiers = /^(Control|Alt|AltGraph|Shift|Meta|OS|CapsLock|Fn)/
const noPlaces = new Set(['Unidentified', 'Unknown'])
/** Keys that type nothing and move no caret. */
const freeKeys = /^(F\d{1,2}|Pause|ScrollLock|Insert|ContextMenu|Media\w+|Browser\w+|Launch\w+|Audio\w+|Lang\d|Eject)$/
/** What the browser or the desk does by them is missed. */
const takenChords = new Set(
  (
    'F5 F11 F12 Ctrl+KeyC Ctrl+KeyV Ctrl+KeyX Ctrl+KeyA Ctrl+KeyK Ctrl+KeyZ Ctrl+Shift+KeyZ Ctrl+KeyY Ctrl+KeyW Ctrl+KeyT ' +
    'Ctrl+KeyN Ctrl+KeyR Ctrl+KeyF Ctrl+KeyP Ctrl+Enter Ctrl+Shift+Space Ctrl+ArrowLeft Ctrl+ArrowRight Ctrl+Backspace Ctrl+Delete'
  ).split(' '),
)

/**
 * Returns a press as text, such as `Shift+F8` or `Alt+KeyS`; undefined for just a modifier. By the place of the key, so that it is the same
 * on a keyboard set to Pashto.
 */
export function chordOf({ code, key, ctrlKey, altKey, shiftKey, metaKey }: Press): string | undefined {
  // Some pedals and older systems name no place.
  const place = code && !noPlaces.has(code) ? code : key
  if (!place || modifiers.test(place) || key === 'AltGraph') return undefined
  const held = [ctrlKey && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift', metaKey && 'Meta'].filter(Boolean)
  return [...held, place].join('+')
}

/** Returns a chord as people read it: `Shift F8`, `Alt S`. */
export function showChord(chord: string): string {
  return chord
    .split('+')
    .map((part) => part.replace(/^(Key|Digit)(?=.$)/, ''))
    .join(' ')
}

/** Returns why a chord cannot be chosen, as a sentence; undefined where it can. */
export function refuseChord(chord: string): string | undefined {
  const parts = chord.split('+')
  const place = parts.at(-1) ?? ''
  const isHeld = parts.includes('Ctrl') || parts.includes('Alt') || parts.includes('Meta')
  if (takenChords.has(chord)) return t('{chord} has a use of its own. Choose another key.', { chord: showChord(chord) })
  if (isHeld || freeKeys.test(place)) return undefined
  return t('This key is needed for typing. Choose a function key, or hold Ctrl or Alt.')
}
