import { useDesk } from '../desk/desk-context.ts'

/** The lines of the recording on screen, beside their translations. */
export function Conversation() {
  const { lines } = useDesk()
  return (
    <ol aria-label="Transcript Timeline">
      {lines.map((line) => (
        <li key={line.id}>{line.segment?.text ?? 'Not understood'}</li>
      ))}
    </ol>
  )
}
