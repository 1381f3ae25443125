import { List, Text } from '@mantine/core'
import type { WatchProblem } from '#contract/endpoints/watch-folder.ts'

/** Says for each file or folder why it is not imported; `count` includes those that are not listed. */
export function WatchFolderProblems({ problems, count }: { problems: WatchProblem[]; count: number }) {
  return (
    <>
      <List size="sm" listStyleType={problems.length > 1 ? 'disc' : 'none'}>
        {problems.map(({ path, reason }) => (
          <List.Item key={`${path} ${reason}`}>
            {path && (
              <>
                <bdi>{path}</bdi>:{' '}
              </>
            )}
            {reason}
          </List.Item>
        ))}
      </List>
      {count > problems.length && <Text size="sm">And {count - problems.length} more.</Text>}
    </>
  )
}
