/** Who requests an expensive task: the network address and the account concerned. For signed-in users, both are their id (`byUser`). */
export interface Requester {
  address: string
  account: string
}

/** Returns a user as a requester, so that turns alternate between users, wherever they call from. */
export function byUser(userId: string): Requester {
  return { address: userId, account: userId }
}

export interface FairQueueLimits {
  /** The maximum number of waiting items in total. */
  maxWaiting: number
  /** The maximum number of waiting items of one address. */
  maxPerAddress: number
  /** The maximum number of waiting items of one account at one address; default `maxPerAddress`. */
  maxPerAccount?: number
}

/** An item that was dropped or not accepted: `full` if too many are waiting in total, `flooded` if too many from the same requester are. */
export interface Refusal<Item> {
  item: Item
  reason: 'full' | 'flooded'
}

interface Next<Item> {
  item: Item
  address: string
}

type Accounts<Item> = Map<string, Item[]>

/** The number of requesters whose last turn is remembered, so that a requester of one task at a time is not new each time. */
const maxRemembered = 10_000

/**
 * A queue that is fair between addresses, and between the accounts of one address: the one served longest ago is next, so a
 * newcomer does not wait for the backlog of others. A full queue drops an item of the requester with the most items, not the latest one.
 */
export function createFairQueue<Item>(limits: FairQueueLimits) {
  const addresses = new Map<string, Accounts<Item>>()
  const maxPerAccount = limits.maxPerAccount ?? limits.maxPerAddress
  /** Order of the last turns, oldest first. */
  const turns = new Map<string, number>()
  let turn = 0
  let waiting = 0

  /** Adds an item. Returns the item for which there was no room: this one, or another that was dropped in its favour. */
  function push(item: Item, { address, account }: Requester): Refusal<Item> | undefined {
    const accounts = addresses.get(address) ?? new Map<string, Item[]>()
    const own = accounts.get(account) ?? []
    if (own.length >= maxPerAccount) return { item, reason: 'flooded' }
    let refusal: Refusal<Item> | undefined
    if (countItems(accounts) >= limits.maxPerAddress) {
      const [name, longest] = longestOf(accounts, (items) => items.length)
      if (longest.length <= own.length + 1) return { item, reason: 'flooded' }
      refusal = drop(address, name, 'flooded')
    } else if (waiting >= limits.maxWaiting) {
      const [from, heaviest] = longestOf(addresses, countItems)
      if (countItems(heaviest) <= countItems(accounts) + 1) return { item, reason: 'full' }
      refusal = drop(from, longestOf(heaviest, (items) => items.length)[0], 'full')
    }
    own.push(item)
    accounts.set(account, own)
    addresses.set(address, accounts)
    waiting += 1
    return refusal
  }

  /** Removes and returns the next item of an address that passes the test. */
  function shift(isEligible: (address: string) => boolean = () => true): Next<Item> | undefined {
    return shiftFrom([...addresses.keys()].filter(isEligible))
  }

  /** Puts an address behind all others, as a turn does. */
  function postpone(address: string): void {
    remember(address)
  }

  /** Removes and returns the next item of an address that passes the test and has no other item waiting. */
  function shiftLone(isEligible: (address: string) => boolean): Next<Item> | undefined {
    return shiftFrom(
      [...addresses].flatMap(([key, items]) => (countItems(items) === 1 && isEligible(key) ? [key] : [])),
    )
  }

  function shiftFrom(candidates: Iterable<string>): Next<Item> | undefined {
    const address = leastRecent(candidates, (key) => key)
    const accounts = address === undefined ? undefined : addresses.get(address)
    if (address === undefined || !accounts) return undefined
    const account = leastRecent(accounts.keys(), (key) => accountKey(address, key))
    if (account === undefined) return undefined
    const item = take(address, account, 'first')
    remember(address)
    remember(accountKey(address, account))
    return item === undefined ? undefined : { item, address }
  }

  /** Removes an item that is no longer waiting. */
  function remove(item: Item, { address, account }: Requester): void {
    const accounts = addresses.get(address)
    const index = accounts?.get(account)?.indexOf(item) ?? -1
    if (index < 0) return
    accounts?.get(account)?.splice(index, 1)
    waiting -= 1
    removeEmpty(address, account)
  }

  function drop(address: string, account: string, reason: Refusal<Item>['reason']): Refusal<Item> | undefined {
    const item = take(address, account, 'last')
    return item === undefined ? undefined : { item, reason }
  }

  function take(address: string, account: string, end: 'first' | 'last'): Item | undefined {
    const items = addresses.get(address)?.get(account)
    const item = end === 'first' ? items?.shift() : items?.pop()
    if (item !== undefined) waiting -= 1
    removeEmpty(address, account)
    return item
  }

  function removeEmpty(address: string, account: string): void {
    const accounts = addresses.get(address)
    if (accounts?.get(account)?.length === 0) accounts.delete(account)
    if (accounts?.size === 0) addresses.delete(address)
  }

  function leastRecent(keys: Iterable<string>, toName: (key: string) => string): string | undefined {
    let found: string | undefined
    let oldest = Infinity
    for (const key of keys) {
      const last = turns.get(toName(key)) ?? -1
      if (last < oldest) [found, oldest] = [key, last]
    }
    return found
  }

  function remember(name: string): void {
    turn += 1
    turns.delete(name)
    turns.set(name, turn)
    const [first] = turns.keys()
    if (turns.size > maxRemembered && first !== undefined) turns.delete(first)
  }

  return { push, shift, shiftLone, postpone, remove, size: () => waiting }
}

function accountKey(address: string, account: string): string {
  return `${address}\n${account}`
}

function countItems(accounts: Accounts<unknown>): number {
  let count = 0
  for (const items of accounts.values()) count += items.length
  return count
}

/** Returns the entry of a non-empty map with the greatest measure. */
function longestOf<Value>(entries: Map<string, Value>, measure: (value: Value) => number): [string, Value] {
  return [...entries].reduce((best, entry) => (measure(entry[1]) > measure(best[1]) ? entry : best))
}
