import { t } from '#contract/texts/t.ts'

type Press = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

const modifiers = /^(Control|Alt|AltGraph|Shift|Meta|OS|CapsLock|Fn)/
const noPlaces = new Set(['Unidentified', 'Unknown'])
/** Keys that neither type anything nor move a caret. */
const freeKeys = /^(F\d{1,2}|Pause|ScrollLock|Insert|ContextMenu|Media\w+|Browser\w+|Launch\w+|Audio\w+|Lang\d|Eject)$/
/** Chords with a function in the browser or the desk that people would miss. */
const takenChords = new Set(
  (
    'F5 F11 F12 Ctrl+KeyC Ctrl+KeyV Ctrl+KeyX Ctrl+KeyA Ctrl+KeyK Ctrl+KeyZ Ctrl+Shift+KeyZ Ctrl+KeyY Ctrl+KeyW Ctrl+KeyT ' +
    'Ctrl+KeyN Ctrl+KeyR Ctrl+KeyF Ctrl+KeyP Ctrl+Enter Ctrl+Shift+Space Ctrl+ArrowLeft Ctrl+ArrowRight Ctrl+Backspace Ctrl+Delete'
  ).split(' '),
)

/**
 * Returns a key press as text, such as `Shift+F8` or `Alt+KeyS`; undefined for just a modifier. Uses the physical key, so that the result
 * is the same with a Pashto keyboard layout.
 */
export function chordOf({ code, key, ctrlKey, altKey, shiftKey, metaKey }: Press): string | undefined {
  // Some pedals and older systems report no physical key.
  const place = code && !noPlaces.has(code) ? code : key
  if (!place || modifiers.test(place) || key === 'AltGraph') return undefined
  const held = [ctrlKey && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift', metaKey && 'Meta'].filter(Boolean)
  return [...held, place].join('+')
}

/** Returns a chord in readable form: `Shift F8`, `Alt S`. */
export function showChord(chord: string): string {
  return chord
    .split('+')
    .map((part) => part.replace(/^(Key|Digit)(?=.$)/, ''))
    .join(' ')
}

/** Returns why a chord cannot be chosen, as a sentence; undefined if it can. */
export function refuseChord(chord: string): string | undefined {
  const parts = chord.split('+')
  const place = parts.at(-1) ?? ''
  const isHeld = parts.includes('Ctrl') || parts.includes('Alt') || parts.includes('Meta')
  if (takenChords.has(chord)) return t('{chord} has a use of its own. Choose another key.', { chord: showChord(chord) })
  if (isHeld || freeKeys.test(place)) return undefined
  return t('This key is needed for typing. Choose a function key, or hold Ctrl or Alt.')
}
