import compile from 'icu-minify/compile'

/** A text as taken by `format` of icu-minify: the string itself, or its parts. */
export type CompiledText = ReturnType<typeof compile>

const memory = new Map<string, CompiledText>()

/**
 * Compiles a text in ICU MessageFormat; a text without braces and tags is returned unchanged. The web build compiles texts at build time
 * and leaves this module out (web/compile-texts.ts). Throws if the text is malformed.
 */
export function compileText(text: string): CompiledText {
  if (!/[{<]/.test(text)) return text
  const known = memory.get(text)
  if (known !== undefined) return known
  const compiled = compile(text)
  memory.set(text, compiled)
  return compiled
}

/** Returns the key of a text in the texts of another language, from the compiled English text. */
export function textKey(compiled: CompiledText): string {
  return typeof compiled === 'string' ? compiled : JSON.stringify(compiled)
}
