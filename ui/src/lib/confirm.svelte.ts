/** Asking before something that matters: `if (await ask({ title, text })) ...`. */

export interface Question {
  readonly title: string
  readonly text: string
  readonly yes?: string
  readonly no?: string
  readonly grave?: boolean
}

const state = $state({ question: null as (Question & { answer: (yes: boolean) => void }) | null })

export function question(): (Question & { answer: (yes: boolean) => void }) | null {
  return state.question
}

export function ask(question: Question): Promise<boolean> {
  state.question?.answer(false)
  return new Promise((resolve) => {
    state.question = {
      ...question,
      answer(yes: boolean) {
        state.question = null
        resolve(yes)
      },
    }
  })
}
