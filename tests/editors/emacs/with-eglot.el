;;; with-eglot.el --- Glossator under Eglot  -*- lexical-binding: t; -*-

;;; Code:

(load (expand-file-name "harness.el" (file-name-directory load-file-name)) nil t)
(require 'eglot)
(require 'flymake)
(require 'glossator)

(setq eglot-autoshutdown nil
      eglot-sync-connect 20
      eglot-connect-timeout 20
      eglot-confirm-server-initiated-edits nil)

(t-test "a missing command is said with the remedy"
  (setq glossator-command '("glossator-that-is-not-there" "lsp"))
  (glossator-eglot-setup)
  (t-open "shop.py")
  (let ((failure (t-error-of (lambda () (call-interactively #'glossator-explain)))))
    (t-contains failure "`glossator-that-is-not-there' was not found")
    (t-contains failure "pipx install"))
  (t-contains (t-error-of (lambda () (eglot--guess-contact))) "was not found"))

(setq glossator-command t-server)
(when-let ((url (getenv "GLOSSATOR_TEST_MODEL")))
  (setq glossator-settings `(:model (:baseUrl ,url :apiKey "key" :name "parrot"))))

(t-test "without a server a command says how to start it"
  (t-contains (t-error-of (lambda () (call-interactively #'glossator-explain)))
              "M-x eglot"))

(t-test "Eglot connects to Glossator"
  (t-open "shop.py")
  (apply #'eglot (eglot--guess-contact))
  (t-wait-for "the connection" (eglot-current-server))
  (cl-assert (eglot-managed-p)))

(if (getenv "GLOSSATOR_TEST_MODEL")
    (progn
      (t-check-model)
      (t-check-chat)
      (t-test "when the server dies, the answer says so, and it is started again"
        (t-open "shop.py")
        (glossator-ask "SILENCE: explain total in shop.py")
        (t-wait-for-answer "hold on")
        (signal-process (jsonrpc--process (eglot-current-server)) 'kill)
        (t-contains (t-wait-for-complete-answer "the server ended") "M-x eglot-reconnect")
        (t-open "shop.py")
        (apply #'eglot (eglot--guess-contact))
        (t-wait-for "the connection" (eglot-current-server))
        (glossator-ask "What does total in shop.py do?")
        (t-wait-for-complete-answer "FINISHED")))

  (t-test "a code action explains in the buffer of answers"
    (t-go-to "def total")
    (t-contains (t-choosing "Explain this function"
                  (let ((last-nonmenu-event t))
                    (eglot-code-actions (point) (line-end-position) nil t)))
                "Show call chain")
    (t-contains (t-wait-for-complete-answer "till.py:5") "total"))

  (t-check-commands (glossator-encoding (eglot-current-server)))

  (t-test "saving shows findings under the right characters, with the rule id"
    (t-open "shop.py")
    (flymake-mode 1)
    (goto-char (point-max))
    (insert "\n")
    (save-buffer)
    (let ((finding (car (t-wait-for "the finding" (flymake-diagnostics)))))
      (t-contains (flymake-diagnostic-text finding) "house-no-print")
      (cl-assert (equal "print(note)" (buffer-substring (flymake-diagnostic-beg finding)
                                                        (flymake-diagnostic-end finding))))
      (goto-char (flymake-diagnostic-beg finding))
      (glossator-explain-problem)
      (t-contains (t-wait-for-complete-answer "Do not print here") "`glossator` says")
      (t-open "shop.py")))

  (t-test "a quick fix changes the text"
    (t-go-to "print(note)")
    ;; Offered once the saved text is checked; the finding above may be that of opening.
    (t-wait-for "the offer"
      (ignore-errors
        (t-choosing "Fix: Do not print here"
          (let ((last-nonmenu-event t))
            (eglot-code-actions (point) (line-end-position) nil t)))))
    (t-wait-for "the fix" (save-excursion (goto-char (point-min))
                                          (search-forward "检查🙂\"; log(note)" nil t)))))

(t-test "with Chinese as the language, Glossator's words are Chinese"
  (t-open "shop.py")
  (let ((glossator-language 'zh))
    (glossator-status)
    (t-wait-for-complete-answer "**工作区**")))

(eglot-shutdown (eglot-current-server) nil 5)
(t-finish)
;;; with-eglot.el ends here
