import { MantineProvider, MantineThemeProvider, Menu } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { theme } from '../theme.ts'
import { menuTheme } from './menu-theme.ts'

afterEach(() => {
  vi.useRealTimers()
})

function renderMenu() {
  render(
    <MantineProvider theme={theme} env="test">
      <div id="content" />
      <MantineThemeProvider theme={menuTheme}>
        <Menu>
          <Menu.Target>
            <button type="button">Open</button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item>one</Menu.Item>
            <Menu.Item>two</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </MantineThemeProvider>
    </MantineProvider>,
  )
  return screen.getByRole('button', { name: 'Open' })
}

const focused = () => document.activeElement?.textContent

it('a key that is pressed as soon as a menu is open moves in it, and the item that it chose keeps the focus', async () => {
  vi.useFakeTimers()
  const button = renderMenu()
  button.focus()
  await act(async () => fireEvent.click(button))
  expect(focused()).toBe('one')
  fireEvent.keyDown(screen.getByRole('menuitem', { name: 'one' }), { key: 'ArrowDown', code: 'ArrowDown' })
  expect(focused()).toBe('two')
  act(() => void vi.runAllTimers())
  expect(focused()).toBe('two')
})

it('the focus returns to the button when a menu is closed', async () => {
  vi.useFakeTimers()
  const button = renderMenu()
  button.focus()
  await act(async () => fireEvent.click(button))
  act(() => void vi.runAllTimers())
  fireEvent.keyDown(screen.getByRole('menuitem', { name: 'one' }), { key: 'Escape', code: 'Escape' })
  act(() => void vi.runAllTimers())
  expect(document.activeElement).toBe(button)
})
