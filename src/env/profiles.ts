/** The name of a set of variables. */
export type ProfileName = "non-interactive" | "none";

/**
 * Variables that keep programs from waiting for a person: no pager, no editor, no prompt.
 *
 * What the user configured in git's own files stays: these are variables only.
 */
export const PROFILES: Readonly<Record<ProfileName, Readonly<Record<string, string>>>> = {
  "none": {},
  "non-interactive": {
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    SYSTEMD_PAGER: "cat",
    GH_PAGER: "cat",
    AWS_PAGER: "",
    EDITOR: "true",
    VISUAL: "true",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_MERGE_AUTOEDIT: "no",
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    SSH_ASKPASS: "false",
    SSH_ASKPASS_REQUIRE: "never",
    CI: "1",
    DEBIAN_FRONTEND: "noninteractive",
    GH_PROMPT_DISABLED: "1",
    HOMEBREW_NO_AUTO_UPDATE: "1",
    npm_config_yes: "true",
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    YARN_ENABLE_TELEMETRY: "0",
    COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
    PIP_NO_INPUT: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    POETRY_NO_INTERACTION: "1",
    COMPOSER_NO_INTERACTION: "1",
    CONDA_ALWAYS_YES: "1",
    DENO_NO_PROMPT: "1",
    DENO_NO_UPDATE_CHECK: "1",
    DOTNET_CLI_TELEMETRY_OPTOUT: "1",
    NEXT_TELEMETRY_DISABLED: "1",
  },
};
