import { describe, expect, it } from 'vitest'
import { chordOf, refuseChord, showChord } from './chords.ts'
import { chordsOf, listeningActions } from './listening-actions.ts'

const press = (code: string, held: object = {}) =>
  chordOf({ code, key: code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...held })

it('a chord is the place of a key with what is held, the same on every layout', () => {
  expect(press('F8')).toBe('F8')
  expect(press('F8', { shiftKey: true })).toBe('Shift+F8')
  expect(press('KeyS', { key: 'س', altKey: true })).toBe('Alt+KeyS')
})

it.each(['ShiftLeft', 'ControlRight', 'AltLeft', 'MetaLeft'])('%s alone is none', (code) => {
  expect(press(code)).toBeUndefined()
})

it('is shown as on the key', () => {
  expect(showChord('Alt+KeyS')).toBe('Alt S')
  expect(showChord('Ctrl+Digit1')).toBe('Ctrl 1')
  expect(showChord('Shift+F8')).toBe('Shift F8')
})

describe('the choice of a key', () => {
  it.each(['F3', 'Shift+F9', 'Pause', 'MediaPlayPause', 'Ctrl+KeyB', 'Alt+KeyB'])('takes %s', (chord) => {
    expect(refuseChord(chord)).toBeUndefined()
  })

  it.each(['KeyB', 'Shift+KeyB', 'Space', 'ArrowLeft', 'Enter', 'Backspace'])('leaves %s to typing', (chord) => {
    expect(refuseChord(chord)).toContain('needed for typing')
  })

  it.each(['F5', 'Ctrl+KeyC', 'Ctrl+KeyZ', 'Ctrl+Enter'])('leaves %s its use', (chord) => {
    expect(refuseChord(chord)).toContain('use of its own')
  })
})

it('every action has a key of its own, which can be chosen', () => {
  const chords = listeningActions.map(({ chord }) => chord)
  expect(new Set(chords).size).toBe(chords.length)
  expect(chords.flatMap((chord) => refuseChord(chord) ?? [])).toEqual([])
  expect(chordsOf({ playLine: 'F3' })).toMatchObject({ playLine: 'F3', backTwo: 'F2' })
})
