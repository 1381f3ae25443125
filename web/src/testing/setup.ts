import '@testing-library/jest-dom/vitest'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, vi } from 'vitest'
import { endRatePause } from '../shared/api/rate-pause.ts'

// Pages are loaded when they are shown, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 5_000 })

// React's development build creates a stack trace and a debugger task for each element, which takes a third of the time of these tests.
// Nobody reads them here, and React creates no more after 10,000.
const reactInternals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
Object.defineProperty(reactInternals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} })

// Browser APIs that Mantine uses and happy-dom lacks.
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

// Without layout, a list that renders only what is in view would render nothing: lists are 800 px high, their rows 40 px.
const sizes = { clientHeight: 800, offsetHeight: 40 }
for (const [property, height] of Object.entries(sizes)) {
  Object.defineProperty(window.HTMLElement.prototype, property, { configurable: true, get: () => height })
}

afterEach(() => {
  cleanup()
  endRatePause()
  // Toasts live in a separate store, outside any screen.
  notifications.clean()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})
