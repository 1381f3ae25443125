import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { shortcuts } from './shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

it('the help names what each shortcut of the desk does, beside its key', async () => {
  renderAt('/transcribe', <ShortcutsDialog isOpen onClose={() => undefined} />, someUser)
  const text = (await screen.findByRole('dialog', { name: 'Keyboard' })).textContent
  for (const { effect, shown } of shortcuts) {
    expect(effect).not.toBe('')
    expect(text).toContain(effect)
    expect(text).toContain(shown)
  }
})

it.each(['Play or pause', 'Command palette', 'Show the whole recording', 'Split at the caret', 'Back 2 seconds'])(
  'the help names the key for: %s',
  async (effect) => {
    renderAt('/transcribe', <ShortcutsDialog isOpen onClose={() => undefined} />, someUser)
    expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toHaveTextContent(effect)
  },
)
