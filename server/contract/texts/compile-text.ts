import compile from 'icu-minify/compile'

/** A text as `format` of icu-minify reads it: as it is, or its parts. */
export type CompiledText = ReturnType<typeof compile>

const memory = new Map<string, CompiledText>()

/**
 * Compiles a text of ICU MessageFormat; one without braces and tags is its own form. The web build compiles texts when it is made and
 * leaves this module out (web/compile-texts.ts). Throws where the text is malformed.
 */
export function compileText(text: string): CompiledText {
  if (!/[{<]/.test(text)) return text
  const known = memory.get(text)
  if (known !== undefined) return known
  const compiled = compile(text)
  memory.set(text, compiled)
  return compiled
}

/** The key of a text in the texts of another language: of the English text, compiled. */
export function textKey(compiled: CompiledText): string {
  return typeof compiled === 'string' ? compiled : JSON.stringify(compiled)
}
