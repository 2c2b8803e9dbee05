;;; harness.el --- Runs tests inside a real Emacs  -*- lexical-binding: t; -*-

;;; Commentary:

;; Prints a line for each test and ends with an exit code.  Load with `emacs --batch -Q -l'.

;;; Code:

(require 'cl-lib)
(require 'package)
;; With -Q Debian's folder of packages is not looked at.
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(add-to-list 'load-path (getenv "GLOSSATOR_TEST_PLUGIN"))

(setq create-lockfiles nil
      make-backup-files nil
      ;; Batch mode would ask on standard input.
      use-dialog-box nil
      enable-local-variables nil)

;; Defined by the package, which is loaded after this file.
(defvar glossator--shown)
(defvar glossator-running)

(defvar t-passed 0)
(defvar t-failed 0)
(defvar t-workspace (getenv "GLOSSATOR_TEST_WORKSPACE"))
(defvar t-server (append (json-parse-string (getenv "GLOSSATOR_TEST_SERVER")) nil))

(defmacro t-test (name &rest body)
  "Run BODY; it fails NAME by signalling an error."
  (declare (indent 1))
  `(condition-case failure
       (progn ,@body
              (cl-incf t-passed)
              (princ (format "ok - %s\n" ,name)))
     (error
      (cl-incf t-failed)
      (princ (format "not ok - %s\n%S\n%s\n" ,name failure (t-answer))))))

(defmacro t-wait-for (what &rest body)
  "Wait until BODY gives something and return it; WHAT names it."
  (declare (indent 1))
  `(let ((end (+ (float-time) 60)) value)
     (while (and (not (setq value (progn ,@body))) (< (float-time) end))
       (accept-process-output nil 0.02))
     (or value (error "Waited in vain for %s" ,what))))

(defun t-answer ()
  "Return the text of the answer."
  (if (get-buffer "*glossator*")
      (with-current-buffer "*glossator*" (buffer-string))
    ""))

(defun t-error-of (function)
  "Call FUNCTION, which must fail; return the text of its error."
  (condition-case failure
      (progn (funcall function) (error "Nothing failed"))
    (user-error (error-message-string failure))))

(defun t-contains (text part)
  "Fail unless PART is in TEXT."
  (unless (string-search part text)
    (error "%S is not in %S" part (substring-no-properties text))))

(defun t-wait-for-answer (part)
  "Wait until the answer shows PART; return the whole."
  (t-wait-for (format "the answer with %s" part)
    (and (string-search part (t-answer)) (t-answer))))

(defun t-wait-for-complete-answer (part)
  "Wait until the answer is complete and shows PART; return the whole."
  (t-wait-for "the complete answer"
    (when-let ((answer (and (get-buffer "*glossator*")
                            (buffer-local-value 'glossator--shown (get-buffer "*glossator*")))))
      (glossator-answer-over answer)))
  (t-wait-for-answer part))

(defun t-open (name)
  "Visit NAME of the workspace."
  (switch-to-buffer (find-file-noselect (expand-file-name name t-workspace))))

(defun t-go-to (text)
  "Put point on TEXT in the current buffer."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun t-message-after (function)
  "Call FUNCTION and return the next message of Glossator."
  (let (said)
    (cl-letf* ((original (symbol-function 'message))
               ((symbol-function 'message)
                (lambda (template &rest arguments)
                  (let ((text (and template (apply #'format template arguments))))
                    (if (and text (string-prefix-p "Glossator: " text))
                        (setq said text)
                      (apply original template arguments))))))
      (funcall function)
      (t-wait-for "a message" said))))

(defmacro t-choosing (title &rest body)
  "Run BODY, answering the menu with the entry that contains TITLE; return all entries."
  (declare (indent 1))
  `(let (offered)
     (cl-letf (((symbol-function 'completing-read)
                (lambda (_prompt collection &rest _)
                  (setq offered (all-completions "" collection))
                  (or (cl-find-if (lambda (each) (string-search ,title each)) offered)
                      (error "%S is not offered: %S" ,title offered)))))
       ,@body)
     (string-join offered "\n")))

(defun t-check-commands (encoding)
  "Test the commands, the same for both clients, in an attached buffer.
ENCODING is the unit of positions that the client and the server use."
  (t-test "an explanation fills the buffer of answers, which is shown"
    (t-open "shop.py")
    (t-go-to "def total")
    (glossator-explain)
    (t-wait-for-complete-answer "till.py:5")
    (t-contains (t-answer) "total")
    (unless (get-buffer-window "*glossator*") (error "The buffer is not shown")))

  (t-test "a place is a button that opens it"
    (set-buffer "*glossator*")
    (t-go-to "till.py:5")
    (push-button (point))
    (unless (equal "till.py" (file-name-nondirectory buffer-file-name))
      (error "Opened %s" buffer-file-name))
    (t-contains (buffer-substring (line-beginning-position) (line-end-position)) "total("))

  (t-test "unsaved changes count"
    (t-open "shop.py")
    (goto-char (point-max))
    (insert "\n\ndef unsaved_one():\n    return 1\n")
    (t-go-to "return 1")
    (glossator-explain)
    (t-wait-for-complete-answer "unsaved_one")
    (t-open "shop.py")
    (delete-region (search-backward "\n\n\ndef unsaved_one") (point-max))
    (insert "\n"))

  (t-test "the call chain shows callers, without the source of the picture"
    (t-go-to "def total")
    (glossator-call-chain)
    (t-contains (t-wait-for-complete-answer "till.py:") "pay")
    (when (string-search "mermaid" (t-answer)) (error "%s" (t-answer))))

  (t-test "a folder is explained, and that nothing can be compared is said"
    (t-open "shop.py")
    (glossator-explain-package default-directory)
    (t-contains (t-wait-for-complete-answer "Who imports whom") "shop.py:1-")
    (t-open "shop.py")
    (glossator-review-changes)
    (t-wait-for-complete-answer "in no Git repository")
    (t-open "shop.py"))

  (t-test "a position behind Chinese and an emoji counts what the client counts"
    (t-open "shop.py")
    (t-go-to "print(note)")
    (let ((before (buffer-substring (line-beginning-position) (point))))
      (cl-assert (= (plist-get (glossator-position encoding) :character)
                    (if (equal encoding "utf-16") (+ 2 (length before)) (length before)))))
    (glossator-explain)
    (t-wait-for-complete-answer "announce"))

  (t-test "a question that no knowledge answers is refused in its language"
    (glossator-ask "我们团队的报销流程规定是什么？")
    (t-contains (t-wait-for-complete-answer "知识") "知识"))

  (t-test "a question that knowledge answers gets it with its source"
    (glossator-ask "How do we name invoices in this house?")
    (t-contains (t-wait-for-complete-answer "knowledge/house.md") "INV-"))

  (t-test "a check says what it found"
    (t-open "shop.py")
    (t-contains (t-message-after #'glossator-check) "shop.py"))

  (t-test "the index is read again, and a new conversation begins"
    (t-contains (t-message-after #'glossator-rebuild-index) "rules")
    (t-contains (t-message-after #'glossator-new-session) "new conversation"))

  (t-test "what is used for a file is told, for a question too"
    (t-open "shop.py")
    (glossator-why)
    (t-contains (t-wait-for-complete-answer "Rules checked here") "shop.py")
    (t-open "shop.py")
    (glossator-why "How do we name invoices in this house?")
    (t-contains (t-wait-for-complete-answer "> How do we name") "knowledge/house.md"))

  (t-test "the status names model, knowledge and workspace"
    (t-open "shop.py")
    (glossator-status)
    (let ((text (t-wait-for-complete-answer "**Model** none")))
      (t-contains text "not trusted")
      (t-contains text "in shop.py; ")))

  (t-test "what any linter reports is explained; where there is more, it is chosen"
    (t-open "shop.py")
    (goto-char (point-min))
    (t-contains (t-error-of #'glossator-explain-problem) "Nothing is reported")
    (t-go-to "return result")
    (cl-letf (((symbol-function 'glossator-flymake-problems)
               (lambda (&rest _)
                 (list (glossator--flymake-problem
                        (flymake-make-diagnostic (current-buffer) (point) (line-end-position)
                                                 :warning "Name this otherwise")
                        encoding)))))
      (glossator-explain-problem)
      (t-contains (t-wait-for-complete-answer "Name this otherwise") "shop.py")))

  (t-test "figures and the examination are shown as text, the knowledge is searched"
    (t-open "shop.py")
    (glossator-figures)
    (t-wait-for-complete-answer "# Figures")
    (glossator-doctor)
    (t-contains (t-wait-for-complete-answer "**Knowledge**") "**Glossator**")
    (glossator-search "invoices")
    (t-wait-for-complete-answer "knowledge/house.md"))

  (t-test "the menu is there, and all commands are on the map of keys"
    (t-open "shop.py")
    (cl-assert glossator-mode)
    (cl-assert (keymapp (lookup-key glossator-mode-map [menu-bar Glossator])))
    (mapatoms (lambda (symbol)
                (when (and (commandp symbol)
                           (string-match-p "\\`glossator-[^-]+\\'" (symbol-name symbol))
                           (not (memq symbol '(glossator-mode glossator-menu glossator-retry
                                               glossator-restart))))
                  (unless (where-is-internal symbol glossator-command-map)
                    (error "%s has no key" symbol))))))

  (t-test "sessions are listed, renamed, gone on with, exported and deleted"
    (t-open "shop.py")
    (t-message-after #'glossator-new-session)
    (glossator-ask "How do we name invoices in this house?")
    (t-wait-for-complete-answer "INV-")
    (t-open "shop.py")
    (glossator-list-sessions "invoices")
    (t-wait-for "the list" (t-go-to-session "How do we name invoices"))
    (glossator-rename-session "发票命名")
    (t-wait-for "the new title" (t-go-to-session "发票命名"))
    (glossator-resume-session)
    (t-wait-for "the chat" (t-in-window 'glossator-chat-mode))
    (t-contains (buffer-string) "> How do we name invoices in this house?")
    (t-contains (buffer-string) "INV-")
    (bury-buffer)
    (switch-to-buffer "*glossator sessions*")
    (t-go-to-session "发票命名")
    (glossator-export-session)
    (t-wait-for "the export" (string-suffix-p ".md" (buffer-name (window-buffer))))
    (set-buffer (window-buffer))
    (t-contains (buffer-string) "INV-")
    (set-buffer-modified-p nil)
    (switch-to-buffer "*glossator sessions*")
    (t-go-to-session "发票命名")
    (cl-letf (((symbol-function 'yes-or-no-p) (lambda (&rest _) t)))
      (glossator-delete-session))
    (t-wait-for "its end" (not (t-go-to-session "发票命名")))))

(defun t-in-window (mode)
  "Make the buffer of the selected window current if it has MODE, else return nil."
  (when (eq mode (buffer-local-value 'major-mode (window-buffer)))
    (set-buffer (window-buffer))))

(defun t-go-to-session (title)
  "Go to the session with TITLE in the list; nil when it is not there."
  (switch-to-buffer "*glossator sessions*")
  (goto-char (point-min))
  (when (search-forward title nil t)
    (beginning-of-line)
    (tabulated-list-get-id)))

(defun t-type (question)
  "Write QUESTION into the chat and send it."
  (goto-char (point-max))
  (insert question)
  (call-interactively (key-binding (kbd "RET"))))

(defun t-chat-has (part)
  "Wait until the chat shows PART, and no answer arrives any more."
  (t-wait-for (format "the chat with %s" part)
    (and (not glossator-running) (string-search part (buffer-string)))))

(defun t-sent-by (function)
  "Call FUNCTION and return the argument that it sent to the server."
  (let (sent)
    (cl-letf* ((send (symbol-function 'glossator-execute))
               ((symbol-function 'glossator-execute)
                (lambda (server command argument &rest rest)
                  (setq sent argument)
                  (apply send server command argument rest))))
      (funcall function))
    sent))

(defun t-check-chat ()
  "Test a conversation with a model in the buffer for it."
  (t-test "a question is put in the chat; its answer streams in above the next one"
    (t-open "shop.py")
    (t-message-after #'glossator-new-session)
    (glossator-chat)
    (t-contains (buffer-string) "#file:path")
    (t-type "What does total in shop.py do?")
    (goto-char (point-max))
    (insert "half a next")
    (let (partial)
      (t-wait-for "the answer"
        (let ((text (buffer-string)))
          (when (and (string-search "adds up" text) (not (string-search "FINISHED" text)))
            (setq partial t)
            (t-contains (glossator-mode-line) "[Glossator: "))
          (and (string-search "FINISHED" text) (not glossator-running))))
      (cl-assert partial))
    (cl-assert (string-suffix-p "half a next" (buffer-string)))
    (cl-assert (= (point) (point-max)))
    (t-contains (buffer-string) "> What does total in shop.py do?")
    (t-contains (buffer-string) "places checked: ")
    (delete-region glossator-chat--input (point-max)))

  (t-test "what was said cannot be changed, and its places are buttons"
    (goto-char (point-min))
    (cl-assert (eq 'failed (condition-case nil (insert "x") (text-read-only 'failed))))
    (t-go-to "till.py:5")
    (cl-assert (button-at (point))))

  (t-test "what is attached goes with the question"
    (let ((sent (t-sent-by
                 (lambda ()
                   (t-type "Is #file:till.py like #symbol:total@shop.py:4, or #file:bell.py:1-2?")))))
      (cl-assert (equal "Is `till.py` like `total`, or `bell.py:1-2`?" (plist-get sent :question)))
      (cl-assert (equal '("file" "symbol" "selection")
                        (mapcar (lambda (each) (plist-get each :kind))
                                (plist-get sent :attachments))))
      (cl-assert (plist-get sent :sessionId)))
    (t-chat-has "FINISHED"))

  (t-test "an answer is stopped, and its question edited and put in its place"
    (t-type "SILENCE: explain total")
    (t-wait-for "its beginning" (string-search "hold on" (buffer-string)))
    (call-interactively (key-binding (kbd "C-c C-k")))
    (t-contains (buffer-string) "Stopped.")
    (call-interactively (key-binding (kbd "C-c C-e")))
    (cl-assert (string-suffix-p "SILENCE: explain total" (buffer-string)))
    (t-contains (glossator-chat--header) "replaces the question")
    (delete-region glossator-chat--input (point-max))
    (t-type "And who calls it?")
    (t-chat-has "> And who calls it?")
    (cl-assert (not (string-search "> SILENCE" (buffer-string))))
    (let ((sent (t-sent-by (lambda () (call-interactively (key-binding (kbd "C-c C-r")))))))
      (cl-assert (equal '(2 3) (list (plist-get sent :keepTurns) (plist-get sent :ofTurns)))))
    (t-chat-has "> And who calls it?")
    (cl-assert (= 1 (how-many "^> And who calls it" (point-min) (point-max)))))

  (t-test "an earlier question that is edited replaces all below it, once its answer is kept"
    (t-go-to "> Is #file:till.py")
    (call-interactively (key-binding (kbd "C-c C-e")))
    (t-contains (glossator-chat--header) "replaces the question and 1 later")
    (delete-region glossator-chat--input (point-max))
    (t-type "SILENCE: explain total")
    (t-wait-for "its beginning" (string-search "hold on" (buffer-string)))
    (cl-assert (not (string-search "> And who calls it?" (buffer-string))))
    (t-contains (t-message-after #'glossator-chat-stop) "nothing was replaced")
    (t-contains (buffer-string) "> And who calls it?")
    (t-contains (buffer-string) "> SILENCE")
    (call-interactively (key-binding (kbd "C-c C-e")))
    (delete-region glossator-chat--input (point-max))
    (let ((sent (t-sent-by (lambda () (t-type "Who calls total?")))))
      (cl-assert (equal '(1 3) (list (plist-get sent :keepTurns) (plist-get sent :ofTurns)))))
    (t-chat-has "> Who calls total?")
    (cl-assert (not (string-search "> And who calls it?" (buffer-string))))
    (cl-assert (not (string-search "> SILENCE" (buffer-string)))))

  (t-test "a question that was to be edited is left as it is"
    (call-interactively (key-binding (kbd "C-c C-e")))
    (call-interactively (key-binding (kbd "C-c C-k")))
    (cl-assert (= glossator-chat--input (point-max)))
    (t-contains (buffer-string) "> Who calls total?"))

  (t-test "files and symbols are completed by letters of their names"
    (cl-flet ((complete (typed)
                (delete-region glossator-chat--input (point-max))
                (goto-char (point-max))
                (insert typed)
                (call-interactively (key-binding (kbd "TAB")))
                (prog1 (buffer-substring-no-properties glossator-chat--input (point-max))
                  (delete-region glossator-chat--input (point-max)))))
      (cl-assert (equal "Is #file:till.py" (complete "Is #til")))
      (cl-assert (equal "#symbol:announce" (complete "@annou")))
      (cl-assert (equal "#symbol:announce" (complete "#symbol:annou")))
      (t-contains (t-message-after (lambda () (complete "@nowhere"))) "nothing is called so")
      (cl-assert (equal "#file:\"价格 表.py\"" (glossator-chat--spell "file" "价格 表.py")))
      (cl-assert (equal "#file:价格表.py" (glossator-chat--spell "file" "价格表.py")))))

  (t-test "a command of the chat begins a new conversation"
    (t-message-after (lambda () (t-type "/new")))
    (cl-assert (not (string-search "> What does" (buffer-string))))
    (t-contains (buffer-string) "#file:path")
    (delete-window)
    (bury-buffer "*glossator chat: shop*")))

(defun t-check-model ()
  "Test what only an answer of a model shows."
  (t-test "an answer of a model arrives in pieces, with its tool calls"
    (t-open "shop.py")
    (t-go-to "def total")
    (let (partial)
      (glossator-explain)
      (t-wait-for "the whole answer"
        (let ((text (t-answer)))
          (unless partial
            (setq partial (and (string-search "adds up" text) (not (string-search "FINISHED" text)))))
          (string-search "Looked at" text)))
      (unless partial (error "Nothing was shown before the end")))
    (t-contains (t-answer) "- ✓ `read_file` shop.py")
    (t-contains (t-answer) "FINISHED"))

  (t-test "a place that is not there says why, and all places are counted"
    (with-current-buffer "*glossator*"
      (t-contains (glossator-answer-summary glossator--shown) "places checked: ")
      (t-contains (mapconcat (lambda (overlay) (or (overlay-get overlay 'after-string) ""))
                             (overlays-in (point-min) (point-max)) "")
                  " (missing: there is no such file)")))

  (t-test "an answer that begins at the end of another one is drawn"
    (t-open "shop.py")
    (let (take)
      (cl-letf (((symbol-function 'glossator-execute)
                 (lambda (&rest arguments) (setq take (car (last arguments))) "token"))
                ((symbol-function 'glossator-cancel) #'ignore))
        (glossator-ask "first")
        (funcall take '(:type "textArrived" :text "beginning of the first"))
        (glossator-ask "second")
        (funcall take '(:type "textArrived" :text "beginning of the second"))
        (t-wait-for-answer "beginning of the second")
        (glossator-stop))))

  (t-test "a running answer is stopped, and the next question works"
    (glossator-ask "SILENCE: explain total in shop.py")
    (t-wait-for-answer "hold on")
    (glossator-stop)
    (t-contains (t-answer) "Stopped.")
    (t-contains (t-message-after #'glossator-stop) "nothing is running")
    (glossator-ask "What does total in shop.py do?")
    (t-wait-for-complete-answer "FINISHED"))

  (t-test "around a Chinese answer our own words are Chinese"
    (glossator-ask "shop.py 里的 total 函数做什么？")
    (t-contains (t-wait-for-complete-answer "FINISHED") "**查看过**")))

(defun t-finish ()
  "Say how many tests passed and end."
  (princ (format "%d passed, %d failed\n" t-passed t-failed))
  (kill-emacs (if (zerop t-failed) 0 1)))

(provide 'harness)
;;; harness.el ends here
