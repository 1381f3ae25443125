import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { shortcuts, useShortcuts, type ShortcutAction } from './shortcuts.ts'

function show() {
  const ran: ShortcutAction[] = []
  const pressed = vi.fn()
  const entries = shortcuts.map(({ action }) => [action, () => void ran.push(action)])
  const actions = Object.fromEntries(entries) as Record<ShortcutAction, () => void> // one entry for each action

  function Screen() {
    useShortcuts(actions)
    return (
      <>
        <p>a line</p>
        <button type="button" onClick={pressed}>
          press
        </button>
        <input aria-label="text" />
        <div role="slider" tabIndex={0} aria-valuenow={0} aria-label="position" />
        <div role="dialog">
          <button type="button">inside</button>
        </div>
      </>
    )
  }
  render(<Screen />)
  return { user: userEvent.setup(), ran, pressed }
}

const typed: Record<string, string> = { arrowleft: '{ArrowLeft}', arrowright: '{ArrowRight}' }
const button = () => screen.getByRole('button', { name: 'press' })

it.each(shortcuts.map(({ action, keys: [key], shown }) => [shown, key, action] as const))(
  'runs %s after a mouse click on a line',
  async (_, key, action) => {
    const { user, ran } = show()
    await user.click(screen.getByText('a line'))
    await user.keyboard(typed[key] ?? key)
    expect(ran).toEqual([action])
  },
)

it.each(['b', 'g'])(
  'runs nothing by what is typed after %s, before the field to write in has the focus',
  async (key) => {
    const { user, ran } = show()
    await user.keyboard(`${key}ehv`)
    expect(ran).toHaveLength(1)
  },
)

it('plays by Space after a mouse click on a button, without pressing it again', async () => {
  const { user, ran, pressed } = show()
  await user.click(button())
  expect(button()).toHaveFocus()
  await user.keyboard(' ')
  expect(ran).toEqual(['play'])
  expect(pressed).toHaveBeenCalledOnce()
})

it('leaves Space to a button that was reached by Tab', async () => {
  const { user, ran, pressed } = show()
  await user.tab()
  expect(button()).toHaveFocus()
  await user.keyboard(' ')
  expect(ran).toEqual([])
  expect(pressed).toHaveBeenCalledOnce()
  await user.keyboard('m')
  expect(ran).toEqual(['mute'])
})

it('leaves every key to a text field and to a dialog', async () => {
  const { user, ran } = show()
  await user.type(screen.getByRole('textbox', { name: 'text' }), ' jk/?')
  expect(screen.getByRole('textbox', { name: 'text' })).toHaveValue(' jk/?')
  await user.click(screen.getByRole('button', { name: 'inside' }))
  await user.keyboard('j')
  expect(ran).toEqual([])
})

it('leaves arrows to a slider, and Space plays there', async () => {
  const { user, ran } = show()
  screen.getByRole('slider', { name: 'position' }).focus()
  await user.keyboard('{ArrowRight}')
  expect(ran).toEqual([])
  await user.keyboard(' ')
  expect(ran).toEqual(['play'])
})

it('knows the keys of a keyboard that is set to Pashto', () => {
  const { ran } = show()
  fireEvent.keyDown(document.body, { key: 'ت', code: 'KeyJ' })
  expect(ran).toEqual(['nextLine'])
})

it.each([
  ['Persian', { key: '/', code: 'Slash' }, 'search'],
  ['Arabic', { key: 'ظ', code: 'Slash' }, 'search'],
  ['Arabic', { key: '؟', code: 'Slash', shiftKey: true }, 'help'],
  ['Arabic', { key: 'لا', code: 'KeyB' }, 'note'],
  ['Urdu', { key: 'ن', code: 'KeyN' }, 'nextHit'],
] as const)('knows the signs of a keyboard that is set to %s: %j', (_, press, action) => {
  const { ran } = show()
  fireEvent.keyDown(document.body, press)
  expect(ran).toEqual([action])
})

it('leaves combinations with Ctrl to the browser', () => {
  const { ran } = show()
  fireEvent.keyDown(document.body, { key: 'p', code: 'KeyP', ctrlKey: true })
  expect(ran).toEqual([])
})
