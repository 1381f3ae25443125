import type { Plugin } from 'vite'
import { compileText } from '#contract/texts/compile-text.ts'

const compiler = /\/server\/contract\/texts\/compile-text\.ts$/
const ownCode = /\/(web\/src|server\/contract)\/.*\.tsx?$/
/** `t('…` and `rich('…`: the only forms in which a text may be written (scripts/check/texts.ts). */
const call = /(?<![.\w])(t|rich)\(\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.)*`)/g

/** Compiles the interface texts in place, so that the browser needs no parser for them. */
export function compileTexts(): Plugin {
  return {
    name: 'compile-texts',
    enforce: 'pre',
    load(id) {
      return compiler.test(id) ? 'export const compileText = (text) => text' : undefined
    },
    transform(code, id) {
      if (!ownCode.test(id) || compiler.test(id)) return undefined
      const compiled = code.replace(call, (whole, name: string, literal: string) => {
        const text = compileText(readLiteral(literal))
        return typeof text === 'string' ? whole : `${name}(${JSON.stringify(text)}`
      })
      return compiled === code ? undefined : { code: compiled, map: null }
    },
  }
}

/** Returns the value of a JavaScript string literal that contains no expressions. */
export function readLiteral(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(u\{([0-9a-f]+)\}|u([0-9a-f]{4})|n|.)/gi, (_, escape: string, long?: string, short?: string) => {
      if (long ?? short) return String.fromCodePoint(Number.parseInt(long ?? short ?? '', 16))
      return escape === 'n' ? '\n' : escape
    })
}
