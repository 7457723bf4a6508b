const NAMED =
  "ansi_c_string arithmetic_expansion array binary_expression brace_expression c_style_for_statement " +
  "case_item case_statement command command_name command_substitution comment compound_statement concatenation " +
  "declaration_command do_group elif_clause else_clause expansion extglob_pattern file_descriptor file_redirect " +
  "for_statement function_definition heredoc_body heredoc_content heredoc_end heredoc_redirect heredoc_start " +
  "herestring_redirect if_statement list negated_command number parenthesized_expression pipeline " +
  "postfix_expression process_substitution program raw_string redirected_statement regex simple_expansion " +
  "special_variable_name string string_content subscript subshell ternary_expression test_command test_operator " +
  "translated_string unary_expression unset_command variable_assignment variable_assignments variable_name " +
  "while_statement word";

const ANONYMOUS =
  '! != " # ## $ $( $(( $[ ${ % %% %= & && &= &> &>> ( (( ) )) * ** **= *= + ++ += , ,, - -- -= ' +
  "-a -o .. / /# /% // /= : :+ :- := :? ; ;& ;; ;;& < <& <&- <( << <<- <<< <<= <= = == =~ > >& >&- >( >= >> >>= >| ? " +
  "[ [[ ] ]] ^ ^= ^^ ` case declare do done elif else esac export fi for function if in local " +
  "readonly select then typeset unset unsetenv until while { | |& |= || } ~ @ A E K L P Q U a k u";

/** The node types that the walk and the audit know; any other makes a line opaque, so a newer grammar stays safe. */
export const KNOWN_NODES: ReadonlySet<string> = new Set([
  ...NAMED.split(" "),
  ...ANONYMOUS.split(" "),
]);
