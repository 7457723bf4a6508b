/** Names of files and directories that are more than files of a workspace. */
export const PROTECTED_NAMES: Readonly<
  Record<"code" | "codeDirectories" | "secrets" | "secretDirectories" | "keys", readonly string[]>
> = {
  /** What other programs run, or take their settings from. */
  code:
    ".envrc .gitconfig .npmrc .yarnrc.yml .pnpmfile.cjs .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .xprofile .xinitrc .xsession .inputrc .mcp.json .aider.conf.yml .gdbinit .lldbinit .exrc .vimrc .nvimrc .nvim.lua .dir-locals.el .shellflowignore"
      .split(" "),
  codeDirectories:
    ".vscode .idea .devcontainer .claude .codex .cursor .gemini .zed .windsurf .kiro .opencode .continue .roo .clinerules .amazonq .husky .ssh .config/git .config/fish .git"
      .split(" "),
  /** What holds secrets, beside `.env.*`. */
  secrets: ".netrc .pgpass .git-credentials .env".split(" "),
  secretDirectories: ".ssh .aws .gnupg .kube".split(" "),
  /** Keys and tokens, of which many have names like other files. */
  keys:
    "id_rsa id_dsa id_ecdsa id_ed25519 credentials.json credentials.yaml credentials.yml credentials.toml service-account.json .pypirc .htpasswd .vault-token master.key"
      .split(" "),
};
