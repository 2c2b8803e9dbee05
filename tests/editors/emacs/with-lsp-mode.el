;;; with-lsp-mode.el --- Glossator under lsp-mode  -*- lexical-binding: t; -*-

;;; Code:

(load (expand-file-name "harness.el" (file-name-directory load-file-name)) nil t)
(require 'lsp-mode)
(require 'flymake)
(require 'glossator)

(setq lsp-auto-guess-root t
      lsp-restart 'ignore
      ;; The tests want no other server that a machine may have.
      lsp-client-packages nil
      lsp-enabled-clients '(glossator)
      lsp-enable-file-watchers nil
      lsp-session-file (expand-file-name "lsp-session" (getenv "XDG_CACHE_HOME"))
      lsp-diagnostics-provider :flymake)

(setq glossator-command t-server)
(when-let ((url (getenv "GLOSSATOR_TEST_MODEL")))
  (setq glossator-settings `(:model (:baseUrl ,url :apiKey "key" :name "parrot"))))

(t-test "lsp-mode starts Glossator as an add-on"
  (glossator-lsp-mode-setup)
  (lsp-workspace-folders-add t-workspace)
  (t-open "shop.py")
  (lsp)
  (t-wait-for "the server"
    (when-let ((workspace (glossator-lsp-mode--server)))
      (eq 'initialized (lsp--workspace-status workspace)))))

(defun choose-action (title)
  "Run the code action with TITLE at point; return all titles."
  (let ((actions (append (lsp-code-actions-at-point) nil)))
    (lsp-execute-code-action
     (or (cl-find-if (lambda (action) (string-search title (gethash "title" action))) actions)
         (error "%S is not offered" title)))
    (mapconcat (lambda (action) (gethash "title" action)) actions "\n")))

(if (getenv "GLOSSATOR_TEST_MODEL")
    (progn
      (t-check-model)
      (t-check-chat)
      (t-test "when the server dies, the answer says so"
        (t-open "shop.py")
        (glossator-ask "SILENCE: explain total in shop.py")
        (t-wait-for-answer "hold on")
        (signal-process (lsp--workspace-proc (glossator-lsp-mode--server)) 'kill)
        (t-contains (t-wait-for-complete-answer "the server ended") "M-x lsp")))

  (t-test "a code action explains in the buffer of answers"
    (t-go-to "def total")
    (t-contains (choose-action "Explain this function") "Show call chain")
    (t-contains (t-wait-for-complete-answer "till.py:5") "total"))

  (t-check-commands "utf-16")

  (t-test "saving shows findings with the rule id"
    (t-open "shop.py")
    (goto-char (point-max))
    (insert "\n")
    (save-buffer)
    (let* ((findings (t-wait-for "the finding"
                       (gethash (lsp--fix-path-casing buffer-file-name) (lsp-diagnostics t))))
           (finding (car findings)))
      (t-contains (gethash "code" finding) "house-no-print")
      (t-contains (gethash "source" finding) "glossator"))
    (t-go-to "print(note)")
    (glossator-explain-problem)
    (t-wait-for-complete-answer "Do not print here"))

  ;; On another line than the others: lsp-mode 8 miscounts behind an emoji.
  (t-test "a quick fix changes the text"
    (t-open "bell.py")
    (lsp)
    (t-go-to "print(")
    (t-wait-for "the offer" (ignore-errors (choose-action "Fix: Do not print here")))
    (t-wait-for "the fix" (save-excursion (goto-char (point-min))
                                          (search-forward "log(\"叮当\", note)" nil t)))))

(t-finish)
;;; with-lsp-mode.el ends here
