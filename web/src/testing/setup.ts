import '@testing-library/jest-dom/vitest'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, vi } from 'vitest'
import { endRatePause } from '../shared/api/rate-pause.ts'

// Pages are loaded when they are shown, which takes its time on a machine that does other things too.
configure({ asyncUtilTimeout: 5_000 })

// React's development build makes a stack trace and a task of the debugger for each element, a third of the time of these tests. Nobody reads
// them here: beyond 10,000 of them React makes none.
const reactInternals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
Object.defineProperty(reactInternals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} })

// What Mantine asks the browser for and happy-dom lacks.
Object.defineProperty(window, 'matchMedia', {
  writable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
  }),
})

class ResizeObserverStub {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = ResizeObserverStub
window.HTMLElement.prototype.scrollIntoView = () => {}

// Without a layout a list that renders what is in view would render nothing: lists are 800 px high, their rows 40 px.
const sizes = { clientHeight: 800, offsetHeight: 40 }
for (const [property, height] of Object.entries(sizes)) {
  Object.defineProperty(window.HTMLElement.prototype, property, { configurable: true, get: () => height })
}

afterEach(() => {
  cleanup()
  endRatePause()
  // Toasts live in a separate store, beyond any screen.
  notifications.clean()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})
