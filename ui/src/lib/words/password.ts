import { area } from "./words.svelte"

export const t = area(
  {
    change: "Change password",
    lead: "Every other session of yours ends with it.",
    old: "Present password",
    fresh: "New password",
    repeat: "New password again",
    differ: "The two new passwords are not the same.",
    done: "Your password is changed.",
  },
  {
    change: "更改密码",
    lead: "您的其他登录会话将随之结束。",
    old: "当前密码",
    fresh: "新密码",
    repeat: "再次输入新密码",
    differ: "两次输入的新密码不一致。",
    done: "密码已更改。",
  },
)
