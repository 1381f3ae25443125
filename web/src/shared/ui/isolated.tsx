import { Fragment, type ReactNode } from 'react'
import { splitName } from '#contract/isolated-name.ts'

interface IsolatedProps {
  children: string
  className?: string | undefined
  /** Whether it stays on one line, cut off at the end in its reading direction if there is no room. */
  isCut?: boolean
  /** Renders a part that begins at this offset of the whole; unchanged by default. */
  renderPart?: (part: string, start: number) => ReactNode
}

/**
 * A user-given text (a name, a title, a tag, a file name), shown in its own direction among the words of the page, with its parts in
 * order. Copying it yields the original text: the isolation is only markup.
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
