import { Fragment, type ReactNode } from 'react'
import { splitName } from '#contract/isolated-name.ts'

interface IsolatedProps {
  children: string
  className?: string | undefined
  /** Whether it stays in one line, and is cut where its reading ends when there is no room. */
  isCut?: boolean
  /** Renders a part that begins at this offset of the whole; by default as it is. */
  renderPart?: (part: string, start: number) => ReactNode
}

/**
 * A text that a person gave (a name, a title, a tag, the name of a file) in its own direction among the words of the page, and its parts
 * in order. Copied, it is what was given: the isolation is only markup.
 */
export function Isolated({ children: name, className, isCut, renderPart = (part) => part }: IsolatedProps) {
  const parts = splitName(name)
  const starts = parts.map((_, index) => parts.slice(0, index).join('').length)
  return (
    <bdi className={className} data-cut={isCut}>
      {parts.map((part, index) => {
        const Part = index % 2 === 1 ? 'bdi' : Fragment
        return <Part key={index}>{renderPart(part, starts[index] ?? 0)}</Part>
      })}
    </bdi>
  )
}
