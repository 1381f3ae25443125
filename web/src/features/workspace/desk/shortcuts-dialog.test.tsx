import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderAt } from '../../../testing/render.tsx'
import { shortcuts } from './shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

it('the help names what each shortcut of the desk does, beside its key', async () => {
  renderAt('/transcribe', <ShortcutsDialog isOpen onClose={() => undefined} />)
  const text = (await screen.findByRole('dialog', { name: 'Keyboard' })).textContent
  for (const { effect, shown } of shortcuts) {
    expect(effect).not.toBe('')
    expect(text).toContain(effect)
    expect(text).toContain(shown)
  }
})

it.each(['Play or pause', 'Command palette', 'Show the whole recording', 'Split at the caret'])(
  'the help names the key for: %s',
  async (effect) => {
    renderAt('/transcribe', <ShortcutsDialog isOpen onClose={() => undefined} />)
    expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toHaveTextContent(effect)
  },
)
