import { Type, type Static } from "@sinclair/typebox";

const nullable = <
  T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number> | ReturnType<typeof Type.Boolean>,
>(
  type: T,
) => Type.Union([type, Type.Null()]);
const keepsOthers = { additionalProperties: true } as const;

/** Matching options of a rule; all off by default. `case: true` means that case does NOT matter. */
const RuleFlags = Type.Object(
  {
    case: Type.Optional(nullable(Type.Boolean())),
    global: Type.Optional(nullable(Type.Boolean())),
    multiline: Type.Optional(nullable(Type.Boolean())),
  },
  keepsOthers,
);

/** One check of a command's output: spec templates-gateway-forms.md §1.1 and §1.3. Other members are kept. */
export const Rule = Type.Object(
  {
    rule: Type.String({
      description: "Text, pattern, or the first operand of a comparison; may hold `<!variables!>`.",
    }),
    eval: Type.String({ description: "`contains`, `!contains`, `contains1`, `RegEx`, `!RegEx` or `#comparison`." }),
    severity: Type.Optional(nullable(Type.String({ description: "`error` (default), `warning` or `info`." }))),
    flags: Type.Optional(Type.Union([RuleFlags, Type.Null()])),
    ruleB: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    evaluator: Type.Optional(nullable(Type.String({ description: "`=`, `!=`, `<`, `>`, `<=`, `>=` or `%`." }))),
    percentage: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
  },
  keepsOthers,
);
export type Rule = Static<typeof Rule>;

/** One command of a template with its rules. Other members are kept. */
export const TemplateCommand = Type.Object(
  {
    command: Type.String({ description: "May hold `<!variables!>`; further lines answer the device's questions." }),
    passRule: Type.Optional(
      nullable(Type.Boolean({ description: "true: every rule must pass; false: one is enough." })),
    ),
    rules: Type.Optional(Type.Union([Type.Array(Rule), Type.Null()])),
  },
  keepsOthers,
);
export type TemplateCommand = Static<typeof TemplateCommand>;

/** A command template as clients send it. Only the name must be there; unknown members are kept. */
export const CommandTemplateInput = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(nullable(Type.String())),
    os: Type.Optional(nullable(Type.String())),
    passRule: Type.Optional(
      nullable(Type.Boolean({ description: "true: every command must pass; false: one is enough." })),
    ),
    ignoreWarnings: Type.Optional(
      nullable(Type.Boolean({ description: "true: only failing rules of severity `error` count." })),
    ),
    commands: Type.Optional(Type.Array(TemplateCommand)),
    tags: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
    created: Type.Optional(nullable(Type.Number({ description: "Milliseconds since the epoch." }))),
    createdBy: Type.Optional(nullable(Type.String())),
    lastUpdated: Type.Optional(nullable(Type.Number({ description: "Milliseconds since the epoch." }))),
    lastUpdatedBy: Type.Optional(nullable(Type.String())),
    namespace: Type.Optional(Type.Null({ description: "Set by projects only." })),
  },
  keepsOthers,
);
export type CommandTemplateInput = Static<typeof CommandTemplateInput>;

/** A command template as it is stored; `_id` equals the name. */
export const CommandTemplate = Type.Composite([CommandTemplateInput, Type.Object({ _id: Type.String() })], keepsOthers);
export type CommandTemplate = CommandTemplateInput & { _id: string };

/** Values for `<!variables!>`. An array in a command runs it once for each element. */
export const Variables = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]);

/** One device, or several. */
export const Devices = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
]);

/** A rule after a run. */
export const RuleResult = Type.Object(
  {
    rule: Type.String({ description: "After substitution." }),
    eval: Type.String(),
    severity: Type.String(),
    raw: Type.String({ description: "As the template has it." }),
    result: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: "Why the rule could not be computed." })),
  },
  keepsOthers,
);
export type RuleResult = Static<typeof RuleResult>;

/** One command on one device after a run. */
export const CommandResult = Type.Object(
  {
    raw: Type.String({ description: "As the template has it." }),
    all_pass_flag: Type.Boolean(),
    evaluated: Type.String({ description: "After substitution." }),
    command: Type.String({ description: "Same as `evaluated`." }),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: "The variables that were used." }),
    rules: Type.Array(RuleResult),
    device: Type.String(),
    response: Type.String(),
    result: Type.Boolean(),
    skipped: Type.Optional(Type.Boolean({ description: "A variable of the command had no value: nothing was sent." })),
  },
  keepsOthers,
);
export type CommandResult = Static<typeof CommandResult>;

/** A template after a run: devices in the order of the call, within each the commands in the order of the template. */
export const TemplateResult = Type.Object({
  all_pass_flag: Type.Boolean(),
  result: Type.Boolean(),
  commands_results: Type.Array(CommandResult),
  name: Type.String(),
});
export type TemplateResult = Static<typeof TemplateResult>;
