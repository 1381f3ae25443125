import type { Plugin } from 'vite'

const endpoints = /\/server\/contract\/endpoints\/[\w-]+\.ts$/
const text = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/.source
const summary = new RegExp(String.raw`\bsummary:\s*(?:${text})(?:\s*\+\s*(?:${text}))*,`, 'g')
const errors = /\berrors:\s*\[[^\]]*\],/g

/**
 * Leaves out the documentation of each endpoint for the API page, its summary and its errors, which are more than 1 kB of the first page.
 * Nothing in the web app reads them.
 */
export function withoutDocumentation(): Plugin {
  return {
    name: 'without-documentation',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!endpoints.test(id)) return undefined
      return { code: code.replaceAll(summary, '').replaceAll(errors, ''), map: null }
    },
  }
}
