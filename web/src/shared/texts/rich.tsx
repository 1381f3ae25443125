import { createElement, Fragment, isValidElement, type ReactNode } from 'react'
import { formatText } from '#contract/texts/t.ts'

type RichValue = string | number | ReactNode | ((children: ReactNode[]) => ReactNode)

/** A placeholder for an element until the text is assembled: icu-minify supports only strings as values. */
const mark = /(\uE000\d+\uE001)/

/**
 * Like `t`, for a text with elements: a function among `values` renders what is between its tags (`Read the <a>documentation</a>`), and an
 * element replaces its name (`Sent to {address}`).
 */
export function rich(text: string, values: Record<string, RichValue>): ReactNode {
  const elements: ReactNode[] = []
  const marked = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === 'function') return [name, (children: ReactNode[]) => value(place(children, elements))]
      if (!isValidElement(value)) return [name, value]
      return [name, `\uE000${elements.push(value) - 1}\uE001`]
    }),
  )
  const parts = formatText(text, marked)
  return createElement(Fragment, null, ...place(Array.isArray(parts) ? parts : [parts as ReactNode], elements))
}

function place(parts: ReactNode[], elements: ReactNode[]): ReactNode[] {
  return parts.flatMap((part) =>
    typeof part === 'string'
      ? part.split(mark).map((piece) => (mark.test(piece) ? elements[Number(piece.slice(1, -1))] : piece))
      : [part],
  )
}
