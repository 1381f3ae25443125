// Setup file of component tests: the time that queries wait depends on how long the test took without a change.
import { configure, getConfig } from '@testing-library/react'
import { beforeEach } from 'vitest'
import { switchName } from './switches.ts'

const { asyncUtilTimeout } = getConfig()

beforeEach(() => {
  const { patienceMs } = (globalThis as unknown as Record<string, { patienceMs?: number }>)[switchName] ?? {}
  configure({ asyncUtilTimeout: Math.min(patienceMs ?? asyncUtilTimeout, asyncUtilTimeout) })
})
