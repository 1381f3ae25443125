import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderAt } from '../../../testing/render.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

it.each(['Play or pause', 'Command palette', 'Show the whole recording', 'Split at the caret'])(
  'the help names the key for: %s',
  async (effect) => {
    renderAt('/transcribe', <ShortcutsDialog isOpen onClose={() => undefined} />)
    expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toHaveTextContent(effect)
  },
)
